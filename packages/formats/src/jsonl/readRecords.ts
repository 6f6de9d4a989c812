import type { GpuTelemetryRecord } from '../generated/gpuTelemetryRecord.ts';
import type { ProfileRecord } from '../generated/profileRecord.ts';
import type { ServerMetricsRecord } from '../generated/serverMetricsRecord.ts';
import { narrowIntegers } from '../json/narrowIntegers.ts';
import { DUPLICATE_KEY_MESSAGE, type ParseOptions, parseJson } from '../json/parse.ts';
import { StringCache } from '../json/stringCache.ts';
import { JsonSyntaxError } from '../json/syntaxError.ts';
import { Findings, type Report } from '../rules/findings.ts';
import { asObject, type Values } from '../rules/values.ts';
import { checkSchema } from '../schema/checkSchema.ts';
import { loadValidator, schemaShapes } from '../schema/schemas.ts';
import type { Input } from '../source/input.ts';
import { openSource } from '../source/openSource.ts';
import { EncodingError } from '../source/source.ts';
import { decodeText } from '../source/text.ts';
import { FormatError, type Issue } from '../validate/issue.ts';
import { type Line, splitLines } from './lines.ts';

/** Options for reading JSONL records. */
export interface RecordOptions {
  /** Called for each problem, and invalid lines are skipped. By default, the first invalid line throws an error. */
  readonly onIssue?: (issue: Issue) => void;
  /** Called if the last line is incomplete, with its number. By default, it is an invalid line. */
  readonly onIncompleteLine?: (line: number) => void;
}

/** Options for reading scrape records. */
export interface ScrapeRecordOptions extends RecordOptions {
  /** The names of the metrics to read. The series of other metrics are not parsed or checked, and are empty lists. */
  readonly metrics?: ReadonlySet<string>;
  /**
   * Decides by the endpoint and the time at the start of a line whether to read it. Lines that it rejects are not checked, and
   * lines that start with something else are read.
   */
  readonly isWanted?: (endpointUrl: string, timestampNs: bigint) => boolean;
}

/**
 * Reads server_metrics_export.jsonl record by record, with one line in memory at a time. Timestamps are exact
 * bigints. Use `sortBounds` to iterate buckets in order, because JavaScript lists "1" before "0.5".
 *
 * @throws FormatError for the first invalid line, unless `onIssue` is set; an error of the file system if the
 * file cannot be read
 */
export function readRecords(
  input: Input,
  { metrics, isWanted, ...options }: ScrapeRecordOptions = {},
): AsyncGenerator<ServerMetricsRecord> {
  const skipArray =
    metrics && ((outerKey: string, key: string) => outerKey === 'metrics' && !metrics.has(key));
  return readLines(input, 'server-metrics-record', options, {
    ...(skipArray && { skipArray }),
    ...(isWanted && { isUnwanted: ({ bytes }: Line) => isUnwanted(bytes, isWanted) }),
  });
}

/** The first two fields of a scrape record, as they are written. */
const RECORD_HEAD =
  /^\s*\{\s*"endpoint_url"\s*:\s*"([ !#-[\]-~]*)"\s*,\s*"timestamp_ns"\s*:\s*(\d{1,19})\s*,/;
/** The maximum length of the first two fields that are looked at, in bytes. */
const MAX_HEAD_BYTES = 256;
/** Replaces bytes that are not UTF-8; the head of such a line does not match. */
const HEAD_DECODER = new TextDecoder();

/** Reports whether a line starts with an endpoint and a time that are not wanted. */
function isUnwanted(bytes: Uint8Array, isWanted: NonNullable<ScrapeRecordOptions['isWanted']>): boolean {
  const head = RECORD_HEAD.exec(HEAD_DECODER.decode(bytes.subarray(0, MAX_HEAD_BYTES)));
  return head !== null && !isWanted(head[1]!, BigInt(head[2]!));
}

/**
 * Reads profile_export.jsonl request by request, with one line in memory at a time. Timestamps are exact
 * bigints.
 *
 * @throws FormatError for the first invalid line, unless `onIssue` is set; an error of the file system if the
 * file cannot be read
 */
export function readProfileRecords(input: Input, options: RecordOptions = {}): AsyncGenerator<ProfileRecord> {
  return readLines(input, 'profile-record', options);
}

/**
 * Reads gpu_telemetry_export.jsonl sample by sample, with one line in memory at a time. Timestamps are exact
 * bigints.
 *
 * @throws FormatError for the first invalid line, unless `onIssue` is set; an error of the file system if the
 * file cannot be read
 */
export function readGpuTelemetryRecords(
  input: Input,
  options: RecordOptions = {},
): AsyncGenerator<GpuTelemetryRecord> {
  return readLines(input, 'gpu-telemetry-record', options);
}

/** The parts of a file that are not read. */
interface LineSelection extends Pick<ParseOptions, 'skipArray'> {
  readonly isUnwanted?: (line: Line) => boolean;
}

async function* readLines<RecordType>(
  input: Input,
  schema: RecordSchema,
  { onIssue, onIncompleteLine }: RecordOptions,
  { skipArray, isUnwanted }: LineSelection = {},
): AsyncGenerator<RecordType> {
  const source = await openSource(input);
  const validator = await loadValidator(schema);
  const options = { ...(skipArray && { skipArray }), strings: new StringCache(true) };
  for await (const line of splitLines(source.stream())) {
    if (isUnwanted?.(line)) continue;
    const findings = new Findings();
    const report = findings.inLine(line.number);
    const record = readRecordLine(report, line, () => schema, options);
    if (record) checkSchema(report, validator, record);
    else if (findings.failed && !line.hasLineFeed && onIncompleteLine) {
      onIncompleteLine(line.number);
      return;
    }
    const issues = findings.kept;
    if (findings.failed && !onIssue) throw new FormatError(source.name ?? 'the text', issues);
    for (const issue of issues) onIssue?.(issue);
    if (record && !findings.failed) yield record as unknown as RecordType;
  }
}

/** Schemas of JSONL records. */
export type RecordSchema = 'server-metrics-record' | 'profile-record' | 'gpu-telemetry-record' | 'raw-record';

/**
 * Parses a line as a JSON object. Returns undefined for an empty line. For an invalid line, reports the
 * problem and returns undefined.
 *
 * @param findSchema returns the schema of the record, which determines the integers to convert to numbers
 * @param options options of the parser, such as the strings of the lines before, which are mostly the same
 */
export function readRecordLine(
  report: Report,
  line: Line,
  findSchema: (record: Values) => RecordSchema | undefined,
  options: Pick<ParseOptions, 'strings' | 'skipArray'> = {},
): Values | undefined {
  try {
    const text = decodeText(line.bytes);
    if (text.trim() === '') return undefined;
    const { value, duplicates, wide } = parseJson(text, options);
    const record = asObject(value);
    const schema = record && wide ? findSchema(record) : undefined;
    if (record && schema) narrowIntegers(record, schemaShapes[schema]);
    for (const { path } of duplicates) report('json-duplicate-key', path, DUPLICATE_KEY_MESSAGE);
    if (!record) report('document-unknown', [], 'is not a JSON object; expected one object per line');
    return record;
  } catch (error) {
    if (error instanceof EncodingError) report('text-encoding', [], error.message);
    else if (error instanceof JsonSyntaxError) report('json-syntax', [], formatSyntaxError(error, line));
    else throw error;
    return undefined;
  }
}

function formatSyntaxError(error: JsonSyntaxError, line: Line): string {
  const cause = line.hasLineFeed ? '' : '; the line is incomplete, probably because the writer was killed';
  return error.message.replace('(line 1, ', '(') + cause;
}
