import { readProfileCsv } from '../csv/readProfileCsv.ts';
import { readServerMetricsCsv } from '../csv/readServerMetricsCsv.ts';
import { readTimeslicesCsv } from '../csv/readTimeslicesCsv.ts';
import type { CsvProblem } from '../csv/rows.ts';
import type { LegacyServerMetricsDocument } from '../generated/legacyServerMetrics.ts';
import type { PhaseGpuTelemetry } from '../generated/phaseGpuTelemetry.ts';
import type { ProfileAggregate } from '../generated/profileAggregate.ts';
import type { ProfileCollated } from '../generated/profileCollated.ts';
import type { ProfileExport, ProfileMetric } from '../generated/profileExport.ts';
import type { ProfileSweep } from '../generated/profileSweep.ts';
import type { ProfileTimeslices } from '../generated/profileTimeslices.ts';
import type { SearchHistory } from '../generated/searchHistory.ts';
import type { ServerMetricsDocument } from '../generated/serverMetrics.ts';
import { Findings } from '../rules/findings.ts';
import type { Values } from '../rules/values.ts';
import { checkSchema } from '../schema/checkSchema.ts';
import { loadValidator, schemaShapes } from '../schema/schemas.ts';
import { detectEncoding } from '../source/detectEncoding.ts';
import type { Input } from '../source/input.ts';
import { createMemorySource, openSource } from '../source/openSource.ts';
import type { Source } from '../source/source.ts';
import { decodeText } from '../source/text.ts';
import { detectCsvKind } from '../validate/csvKind.ts';
import { type DocumentKind, detectDocument } from '../validate/documentKind.ts';
import { FormatError, type Issue } from '../validate/issue.ts';
import { convertLegacyServerMetrics } from './convertLegacy.ts';
import { omitEndpointZeros } from './endpointZeros.ts';
import { narrowIntegers } from './narrowIntegers.ts';
import { type ParsedJson, parseJson } from './parse.ts';
import { listProfileBlocks } from './profileMetrics.ts';
import type { ServerMetricsView } from './serverMetricsView.ts';
import { parseSeriesStream, type StreamedJson } from './stream/parseSeriesStream.ts';
import { StringCache } from './stringCache.ts';
import { JsonSyntaxError } from './syntaxError.ts';

/** A server metrics document, in version 1.0 or AIPerf's flat layout. Only version 1.0 has a `schema_version`. */
export type AnyServerMetrics = ServerMetricsDocument | LegacyServerMetricsDocument;

/**
 * Reads server_metrics_export.json, in schema 1.0 or the flat layout, without conversion: timestamps are
 * exact bigints, and unknown fields are kept. The document is checked only against its schema; use `validate`
 * to also check that its values are consistent.
 *
 * @throws FormatError if the file is another kind of document or does not match its schema; an error of the
 * file system if the file cannot be read
 */
export async function readServerMetricsJson(input: Input): Promise<AnyServerMetrics> {
  const source = await openSource(input);
  return convertZeros((await readJsonDocument(source, 'server-metrics')) as AnyServerMetrics);
}

/** Options of `readServerMetrics`. */
export interface ServerMetricsOptions {
  /**
   * Reports whether to skip the timeslices of a metric, which are most of a long run. Its series then have no timeslices, and
   * skipped text is not checked. Ignored for pipes and CSV.
   */
  readonly skipsSlices?: (metric: string) => boolean;
}

/**
 * Reads server metrics from JSON 1.0, the flat layout or CSV, and converts them to a common view. Timeslices of JSON are
 * kept in columns: the property `timeslices` of a series creates them each time that it is read. JSON files can be larger
 * than the memory and than a string.
 *
 * @throws FormatError if the file is another kind of document or invalid; an error of the file system if it
 * cannot be read
 */
export async function readServerMetrics(
  input: Input,
  options: ServerMetricsOptions = {},
): Promise<ServerMetricsView> {
  const source = await openSource(input);
  if (detectEncoding(source) === 'csv') return await readCsvView(source);
  const document = convertZeros(await readStreamedMetrics(source, options));
  return 'schema_version' in document ? document : convertLegacyServerMetrics(document);
}

/** Reads a document series by series. A pipe is read into memory first, because a syntax error is located in a second pass. */
async function readStreamedMetrics(source: Source, options: ServerMetricsOptions): Promise<AnyServerMetrics> {
  const isFile = source.file !== undefined;
  const rereadable = isFile ? source : createMemorySource(await source.bytes());
  const { name } = source;
  const parsed = await withSyntaxIssue(source, () =>
    parseSeriesStream({ name, stream: rereadable.stream }, isFile ? options : {}),
  );
  return (await checkDocument(source, parsed, 'server-metrics')) as AnyServerMetrics;
}

function convertZeros(document: AnyServerMetrics): AnyServerMetrics {
  return 'schema_version' in document ? omitEndpointZeros(document) : document;
}

/**
 * Reads profile_export_aiperf.json, schema 1.0 to 1.3. A newer minor version is read as 1.3. The result has
 * the type of version 1.3; in an older document, `schema_version` states the original version, and newer
 * fields are absent.
 *
 * @throws FormatError if the file is another kind of document or invalid; an error of the file system if it
 * cannot be read
 */
export async function readProfileExport(input: Input): Promise<ProfileExport> {
  const source = await openSource(input);
  return (await readJsonDocument(source, 'profile-export')) as ProfileExport;
}

/**
 * Reads phases/<phase>/gpu_telemetry.json.
 *
 * @throws FormatError if the file is another kind of document or invalid; an error of the file system if it
 * cannot be read
 */
export async function readPhaseGpuTelemetry(input: Input): Promise<PhaseGpuTelemetry> {
  const source = await openSource(input);
  return (await readJsonDocument(source, 'phase-gpu-telemetry')) as PhaseGpuTelemetry;
}

/** Returns the metric blocks of a profile export by tag, in file order. */
export function listProfileMetrics(document: ProfileExport): Map<string, ProfileMetric> {
  const blocks = listProfileBlocks(document as Values).map(([tag, block]) => [tag, block] as const);
  return new Map(blocks) as ReadonlyMap<string, unknown> as Map<string, ProfileMetric>;
}

/**
 * Reads the metrics of a profile export by tag, from profile_export_aiperf.json or .csv. A CSV file has no
 * counts, and the values in AIPerf's CSV are rounded.
 *
 * @throws FormatError if the file is another kind of document or invalid; an error of the file system if it
 * cannot be read
 */
export async function readProfileMetrics(input: Input): Promise<ReadonlyMap<string, ProfileMetric>> {
  const source = await openSource(input);
  if (detectEncoding(source) !== 'csv')
    return listProfileMetrics((await readJsonDocument(source, 'profile-export')) as ProfileExport);
  const text = await readCsvText(source, 'profile-export-csv');
  const { metrics, problems } = readProfileCsv(text);
  throwOnProblems(source, problems);
  return metrics;
}

/**
 * Reads profile_export_aiperf_timeslices.json or .csv. A CSV file does not contain the timestamps of the
 * slices.
 *
 * @throws FormatError if the file is another kind of document or invalid; an error of the file system if it
 * cannot be read
 */
export async function readProfileTimeslices(input: Input): Promise<ProfileTimeslices> {
  const source = await openSource(input);
  if (detectEncoding(source) !== 'csv')
    return (await readJsonDocument(source, 'profile-timeslices')) as ProfileTimeslices;
  const text = await readCsvText(source, 'profile-timeslices-csv');
  const { slices, problems } = readTimeslicesCsv(text);
  throwOnProblems(source, problems);
  return { timeslices: slices };
}

/** Returns the metric blocks of a timeslice by tag, in file order. */
export function listTimesliceMetrics(
  slice: ProfileTimeslices['timeslices'][number],
): Map<string, ProfileMetric> {
  return listProfileMetrics(slice as object as ProfileExport);
}

/**
 * Reads profile_export_aiperf_aggregate.json, schema 1.0.
 *
 * @throws FormatError if the file is another kind of document or invalid; an error of the file system if it
 * cannot be read
 */
export async function readProfileAggregate(input: Input): Promise<ProfileAggregate> {
  const source = await openSource(input);
  return (await readJsonDocument(source, 'profile-aggregate')) as ProfileAggregate;
}

/**
 * Reads profile_export_aiperf_collated.json, schema 1.0.0.
 *
 * @throws FormatError if the file is another kind of document or invalid; an error of the file system if it
 * cannot be read
 */
export async function readProfileCollated(input: Input): Promise<ProfileCollated> {
  const source = await openSource(input);
  return (await readJsonDocument(source, 'profile-collated')) as ProfileCollated;
}

/**
 * Reads profile_export_aiperf_sweep.json of Servelens (schema 1.0) or AIPerf.
 *
 * @throws FormatError if the file is another kind of document or invalid; an error of the file system if it
 * cannot be read
 */
export async function readProfileSweep(input: Input): Promise<ProfileSweep> {
  const source = await openSource(input);
  return (await readJsonDocument(source, 'profile-sweep')) as ProfileSweep;
}

/**
 * Reads search_history.json of Servelens or AIPerf.
 *
 * @throws FormatError if the file is another kind of document or invalid; an error of the file system if it
 * cannot be read
 */
export async function readSearchHistory(input: Input): Promise<SearchHistory> {
  const source = await openSource(input);
  return (await readJsonDocument(source, 'search-history')) as SearchHistory;
}

async function readCsvView(source: Source): Promise<ServerMetricsView> {
  const { view, problems } = readServerMetricsCsv(await readCsvText(source, 'server-metrics-csv'));
  throwOnProblems(source, problems);
  return view;
}

/** Reads the text of a CSV file and checks its kind. */
async function readCsvText(source: Source, kind: DocumentKind): Promise<string> {
  const text = decodeText(await source.bytes());
  const actualKind = detectCsvKind(text, source.name);
  if (actualKind === kind) return text;
  const findings = new Findings();
  findings.report('document-unknown', [], `is a ${actualKind} document; expected a ${kind} document`);
  throw new FormatError(getSourceName(source), findings.kept);
}

function throwOnProblems(source: Source, problems: readonly CsvProblem[]): void {
  if (problems.length > 0) throw new FormatError(getSourceName(source), toIssues(problems));
}

function toIssues(problems: readonly CsvProblem[]): Issue[] {
  const findings = new Findings();
  for (const { rule, position, message, value } of problems)
    findings.reportAt(rule, position, message, value);
  return findings.kept;
}

/** Reads a JSON document and checks its kind and schema. */
async function readJsonDocument(source: Source, kind: DocumentKind): Promise<unknown> {
  const parsed = await withSyntaxIssue(source, async () => parseText(decodeText(await source.bytes())));
  return await checkDocument(source, parsed, kind);
}

/** Parses a document. Its strings are copies, so that the text of a large document is not kept in memory with it. */
function parseText(text: string): ParsedJson {
  return parseJson(text, { strings: new StringCache(true) });
}

/** Checks the kind and the schema of a document. Returns the document. */
async function checkDocument(
  source: Source,
  { value, wide, withSamples }: Pick<ParsedJson, 'value' | 'wide'> & Partial<StreamedJson>,
  kind: DocumentKind,
): Promise<unknown> {
  const { document, schema, versionProblem, hint } = detectDocument(value);
  const findings = new Findings();
  if (document !== kind || !schema) {
    const description =
      document === 'unknown' ? `of an unknown kind${hint ? ` (${hint})` : ''}` : `a ${document} document`;
    findings.report('document-unknown', [], `is ${description}; expected a ${kind} document`);
  } else {
    const validator = await loadValidator(schema);
    if (wide) narrowIntegers(value as object, schemaShapes[schema]);
    if (withSamples?.(() => validator(value))) return value;
    checkSchema(
      (rule, path, message, value) => {
        if (!(versionProblem === 'newer' && path[0] === 'schema_version'))
          findings.report(rule, path, message, value);
      },
      validator,
      value,
    );
  }
  if (findings.failed) throw new FormatError(getSourceName(source), findings.kept);
  return value;
}

/** Runs `parse`, and reports a syntax error as an issue of the file. */
async function withSyntaxIssue<T>(source: Source, parse: () => T | Promise<T>): Promise<T> {
  try {
    return await parse();
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const findings = new Findings();
    findings.reportAt('json-syntax', { line: error.line, place: `line ${error.line}` }, error.message);
    throw new FormatError(getSourceName(source), findings.kept);
  }
}

function getSourceName(source: Source): string {
  return source.name ?? 'the text';
}
