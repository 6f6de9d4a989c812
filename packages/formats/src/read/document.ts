import { FormatError } from '../format-error.ts';
import type { LegacyServerMetricsDocument } from '../generated/legacy.ts';
import type { ProfileExport, ProfileMetric } from '../generated/profile-export.ts';
import type { ServerMetricsDocument } from '../generated/server-metrics.ts';
import type { Issue } from '../issue.ts';
import { narrowIntegers } from '../json/narrow.ts';
import { JsonSyntaxError, parseJson } from '../json/parse.ts';
import { type DocumentKind, recognise } from '../recognise.ts';
import { profileBlocks } from '../rules/profile.ts';
import { Findings } from '../rules/report.ts';
import type { Values } from '../rules/values.ts';
import { checkSchema, loadValidator } from '../schema-check.ts';
import { sniff } from '../sniff.ts';
import { decodeText, type Input, openSource, type Source } from '../source.ts';
import { readCsv } from './csv.ts';
import { liftLegacy } from './legacy.ts';
import type { ServerMetricsView } from './view.ts';

/** A server metrics document in the layout that it was written in; only 1.0 has a `schema_version`. */
export type AnyServerMetrics = ServerMetricsDocument | LegacyServerMetricsDocument;

/**
 * Reads server_metrics_export.json, schema 1.0 or the flat layout, as it stands: times are exact bigints,
 * unknown fields are kept. The schema is checked, so the fields are what their types say; whether figures
 * fit together is for `validate`.
 *
 * @throws FormatError when it is something else or does not fit its schema, the file system's error when
 * there is no such file.
 */
export async function readServerMetricsJson(input: Input): Promise<AnyServerMetrics> {
  const source = await openSource(input);
  return (await readJsonDocument(source, 'server-metrics')) as AnyServerMetrics;
}

/**
 * Reads server metrics from whatever file has them, JSON 1.0, the flat layout or CSV, in the terms of 1.0.
 *
 * @throws FormatError and errors of the file system, as `readServerMetricsJson`.
 */
export async function readServerMetrics(input: Input): Promise<ServerMetricsView> {
  const source = await openSource(input);
  if (sniff(source) === 'csv') return await readCsvView(source);
  const document = (await readJsonDocument(source, 'server-metrics')) as AnyServerMetrics;
  return 'schema_version' in document ? document : liftLegacy(document);
}

/**
 * Reads profile_export_aiperf.json, schema 1.0 to 1.3; a newer minor version is read as 1.3.
 *
 * @throws FormatError and errors of the file system, as `readServerMetricsJson`.
 */
export async function readProfileExport(input: Input): Promise<ProfileExport> {
  const source = await openSource(input);
  return (await readJsonDocument(source, 'profile-export')) as ProfileExport;
}

/** The metric blocks of a profile export by tag, in the order of the file. */
export function profileMetrics(document: ProfileExport): Map<string, ProfileMetric> {
  const blocks = profileBlocks(document as Values).map(([tag, block]) => [tag, block] as const);
  return new Map(blocks) as ReadonlyMap<string, unknown> as Map<string, ProfileMetric>;
}

async function readCsvView(source: Source): Promise<ServerMetricsView> {
  const { view, problems } = readCsv(decodeText(await source.bytes()));
  if (problems.length > 0) throw new FormatError(nameOf(source), csvIssues(problems));
  return view;
}

function csvIssues(problems: ReturnType<typeof readCsv>['problems']): Issue[] {
  const findings = new Findings();
  for (const { rule, line, place, message, value } of problems)
    findings.reportAt(rule, line, place, message, value);
  return issuesOf(findings);
}

/** The document, if it is of that kind and fits its schema. */
async function readJsonDocument(source: Source, kind: DocumentKind): Promise<unknown> {
  const value = parsed(source, decodeText(await source.bytes()));
  const { document, schema, versionProblem, hint } = recognise(value);
  const findings = new Findings();
  if (document !== kind || !schema) {
    const found =
      document === 'unknown' ? (hint ?? 'no document that is known here') : `a ${document} document`;
    findings.report('document-unknown', [], `is ${found}; expected a ${kind} document`);
  } else {
    const validator = await loadValidator(schema);
    checkSchema(
      (rule, path, message, value) => {
        if (!(versionProblem === 'newer' && path[0] === 'schema_version'))
          findings.report(rule, path, message, value);
      },
      validator,
      value,
    );
  }
  if (findings.failed) throw new FormatError(nameOf(source), issuesOf(findings));
  return value;
}

function parsed(source: Source, text: string): unknown {
  try {
    const { value, wide } = parseJson(text);
    if (wide && typeof value === 'object' && value !== null) narrowIntegers(value);
    return value;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    const findings = new Findings();
    findings.reportAt('json-syntax', error.line, `line ${error.line}`, error.message);
    throw new FormatError(nameOf(source), issuesOf(findings));
  }
}

function issuesOf(findings: Findings): Issue[] {
  return findings.kept.map(finding => finding.issue);
}

function nameOf(source: Source): string {
  return source.name ?? 'the text';
}
