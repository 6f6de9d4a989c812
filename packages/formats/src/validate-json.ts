import {
  legacyServerMetrics,
  profileAggregate,
  profileCollated,
  profileExport,
  profileRecord,
  profileSweep,
  profileTimeslices,
  serverMetrics,
  serverMetricsRecord,
} from './generated/shapes.ts';
import { linesOf } from './json/line-of-path.ts';
import { narrowIntegers } from './json/narrow.ts';
import { JsonSyntaxError, type ParsedJson, parseJson } from './json/parse.ts';
import { type Recognised, recognise } from './recognise.ts';
import { checkAggregate } from './rules/aggregate.ts';
import { checkCollated } from './rules/collated.ts';
import { checkLegacy } from './rules/legacy.ts';
import { checkProfile } from './rules/profile.ts';
import { checkProfileTimeslices } from './rules/profile-timeslices.ts';
import { RecordRules } from './rules/record.ts';
import type { Findings, Report } from './rules/report.ts';
import { checkRequest } from './rules/request.ts';
import { checkServerMetrics } from './rules/server-metrics.ts';
import { checkSweep } from './rules/sweep.ts';
import { asObject, type Values } from './rules/values.ts';
import { checkSchema, loadValidator, type SchemaName, shown } from './schema-check.ts';
import type { Shape } from './shape.ts';
import { checkUnknownFields } from './unknown-fields.ts';

/** Checks one JSON text: what it is, and everything that is wrong with it. */
export async function validateJsonText(
  findings: Findings,
  text: string,
  strict: boolean,
): Promise<Recognised> {
  const parsed = parseReported(findings.report, text);
  if (!parsed) return { document: 'unknown', version: null };
  for (const { path } of parsed.duplicates)
    findings.report(
      'json-duplicate-key',
      path,
      'stands twice in its object; readers disagree on which one counts',
    );
  return validateValue(findings.report, parsed.value, strict);
}

/** Lines of the findings so far, in their order. */
export function findingLines(findings: Findings, text: string): number[] {
  try {
    return linesOf(
      text,
      findings.kept.map(finding => finding.path),
    );
  } catch (error) {
    if (error instanceof JsonSyntaxError) return findings.kept.map(() => error.line);
    throw error;
  }
}

function parseReported(report: Report, text: string): ParsedJson | undefined {
  try {
    const parsed = parseJson(text);
    if (parsed.wide && typeof parsed.value === 'object' && parsed.value !== null)
      narrowIntegers(parsed.value);
    return parsed;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    report('json-syntax', [], error.message);
    return undefined;
  }
}

/** Checks a value that was parsed already. */
export async function validateValue(report: Report, value: unknown, strict: boolean): Promise<Recognised> {
  const recognised = recognise(value);
  const { schema } = recognised;
  const document = asObject(value);
  if (!schema || !document) {
    report('document-unknown', [], unknownMessage(value, recognised), recognised.hint);
    return recognised;
  }
  const versionReport = reportVersion(report, recognised);
  checkSchema(versionReport, await loadValidator(schema), document);
  const { shape, check } = kinds[schema];
  check(report, document);
  if (strict) checkUnknownFields(report, document, shape);
  return recognised;
}

function unknownMessage(value: unknown, { hint }: Recognised): string {
  const known =
    'expected a server metrics export (summary and metrics), a profile export (metric blocks with unit and avg), its timeslices, aggregate, collated or sweep form, or a JSONL record';
  return `is ${shown(value)} that no schema here describes; ${hint ?? known}`;
}

/** Says what there is to say about the version, and keeps the schema from saying it again. */
function reportVersion(report: Report, { document, version, schema, versionProblem }: Recognised): Report {
  if (!versionProblem) return report;
  const checked = schema!.slice(document.length + 1);
  if (versionProblem === 'newer')
    report(
      'schema-version-newer',
      ['schema_version'],
      `is ${version}; the newest that is known here is ${checked}, which it is checked against`,
      version,
    );
  else
    report(
      'schema-version-unknown',
      ['schema_version'],
      `is ${shown(version)}; known are versions up to ${checked}`,
      version,
    );
  return (rule, path, message, value) => {
    if (path.length !== 1 || path[0] !== 'schema_version') report(rule, path, message, value);
  };
}

/** What there is to know of a document by its schema: its fields, and what the schema cannot say. */
interface Kind {
  readonly shape: Shape;
  readonly check: (report: Report, document: Values) => void;
}

const profileKind = (minor: number): Kind => ({
  shape: profileExport,
  check: (report, document) => checkProfile(report, document, minor),
});

const kinds: Readonly<Record<SchemaName, Kind>> = {
  'server-metrics.1.0': { shape: serverMetrics, check: checkServerMetrics },
  'server-metrics.legacy': { shape: legacyServerMetrics, check: checkLegacy },
  'server-metrics-record': {
    shape: serverMetricsRecord,
    check: (report, record) => new RecordRules().check(report, record),
  },
  'profile-export.1.0': profileKind(0),
  'profile-export.1.1': profileKind(1),
  'profile-export.1.2': profileKind(2),
  'profile-export.1.3': profileKind(3),
  'profile-record': { shape: profileRecord, check: checkRequest },
  'profile-timeslices.1.0': { shape: profileTimeslices, check: checkProfileTimeslices },
  'profile-aggregate.1.0': { shape: profileAggregate, check: checkAggregate },
  'profile-collated.1.0.0': { shape: profileCollated, check: checkCollated },
  'profile-sweep.1.0': { shape: profileSweep, check: checkSweep },
};
