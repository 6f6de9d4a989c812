import { narrowIntegers } from '../json/narrowIntegers.ts';
import { DUPLICATE_KEY_MESSAGE, type ParsedJson, parseJson } from '../json/parse.ts';
import { findPathLines } from '../json/pathLines.ts';
import { JsonSyntaxError } from '../json/syntaxError.ts';
import { checkAggregate } from '../rules/aggregate.ts';
import { checkCollated } from '../rules/collated.ts';
import type { Findings, Report } from '../rules/findings.ts';
import { checkLegacy } from '../rules/legacy.ts';
import { checkPhase, checkPhaseManifest } from '../rules/phases.ts';
import { checkProfile } from '../rules/profile.ts';
import { checkProfileTimeslices } from '../rules/profileTimeslices.ts';
import { RecordRules } from '../rules/record.ts';
import { checkOutputs, checkRawRequest, checkRequest } from '../rules/request.ts';
import { checkServerMetrics } from '../rules/serverMetrics.ts';
import { checkSweep } from '../rules/sweep.ts';
import { checkTelemetry, TelemetryOrder } from '../rules/telemetry.ts';
import { asObject, getObject, type Values } from '../rules/values.ts';
import { checkSchema, checkUnknownFields, formatValue } from '../schema/checkSchema.ts';
import { loadValidator, type SchemaName, schemaShapes } from '../schema/schemas.ts';
import { checkPhaseServerMetrics } from './checkPhaseServerMetrics.ts';
import { type DetectedDocument, detectDocument } from './documentKind.ts';

/** Validates a JSON text of any known kind. */
export async function validateJsonText(
  findings: Findings,
  text: string,
  strict: boolean,
): Promise<DetectedDocument> {
  const parsed = tryParseJson(findings.report, text);
  if (!parsed) return { document: 'unknown', version: null };
  for (const { path } of parsed.duplicates)
    findings.report('json-duplicate-key', path, DUPLICATE_KEY_MESSAGE);
  return validateValue(findings.report, parsed.value, strict, parsed.wide);
}

/** Returns the line number of each kept finding, in the same order. */
export function findFindingLines(findings: Findings, text: string): number[] {
  try {
    return findPathLines(
      text,
      findings.kept.map(issue => issue.path),
    );
  } catch (error) {
    if (error instanceof JsonSyntaxError) return findings.kept.map(() => error.line);
    throw error;
  }
}

/** Parses a JSON text. For invalid JSON, reports the syntax error and returns undefined. */
function tryParseJson(report: Report, text: string): ParsedJson | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    report('json-syntax', [], error.message);
    return undefined;
  }
}

/**
 * Validates a parsed JSON value.
 *
 * @param wide whether the value contains bigints; bigints in float and count fields are converted to numbers in place
 */
export async function validateValue(
  report: Report,
  value: unknown,
  strict: boolean,
  wide = false,
): Promise<DetectedDocument> {
  const detected = detectDocument(value);
  const { schema } = detected;
  const document = asObject(value);
  if (!schema || !document) {
    report('document-unknown', [], formatUnknownMessage(value, detected), detected.hint);
    return detected;
  }
  const shape = schemaShapes[schema];
  if (wide) narrowIntegers(document, shape);
  const reportExceptVersion = reportVersion(report, detected);
  checkSchema(reportExceptVersion, await loadValidator(schema), document);
  await RULE_CHECKS[schema](report, document, strict);
  if (strict) checkUnknownFields(report, document, shape);
  return detected;
}

function formatUnknownMessage(value: unknown, { hint }: DetectedDocument): string {
  const expected =
    'expected a server metrics export (summary and metrics), a profile export (metric blocks with unit and avg), its timeslices, aggregate, collated or sweep form, or a JSONL record';
  return `is ${formatValue(value)}, which is not a known document; ${hint ?? expected}`;
}

/**
 * Reports a problem with the schema version, and returns a report function that ignores further findings
 * about the version.
 */
function reportVersion(
  report: Report,
  { document, version, schema, versionProblem }: DetectedDocument,
): Report {
  if (!versionProblem) return report;
  const schemaVersion = schema!.slice(document.length + 1);
  if (versionProblem === 'newer')
    report(
      'schema-version-newer',
      ['schema_version'],
      `is ${version}, newer than ${schemaVersion}; validated against ${schemaVersion}`,
      version,
    );
  else
    report(
      'schema-version-unknown',
      ['schema_version'],
      `is ${formatValue(version)}; expected ${schemaVersion} or older`,
      version,
    );
  return (rule, path, message, value) => {
    if (path.length !== 1 || path[0] !== 'schema_version') report(rule, path, message, value);
  };
}

type Check = (report: Report, document: Values, strict: boolean) => void | Promise<void>;

/** For documents that have no constraints other than their schema. */
const noCheck: Check = () => {};

const createProfileCheck =
  (minor: number): Check =>
  (report, document) =>
    checkProfile(report, document, minor);

/** Checks of constraints that JSON Schema cannot express, by schema. */
const RULE_CHECKS: Readonly<Record<SchemaName, Check>> = {
  'server-metrics.1.0': checkServerMetrics,
  'server-metrics.1.1': checkServerMetrics,
  'server-metrics.legacy': checkLegacy,
  'server-metrics-record': (report, record) => new RecordRules().check(report, record),
  'profile-export.1.0': createProfileCheck(0),
  'profile-export.1.1': createProfileCheck(1),
  'profile-export.1.2': createProfileCheck(2),
  'profile-export.1.3': createProfileCheck(3),
  'profile-export.1.4': createProfileCheck(4),
  'profile-record': checkRequest,
  'profile-timeslices.1.0': checkProfileTimeslices,
  'profile-aggregate.1.0': checkAggregate,
  'profile-collated.1.0.0': checkCollated,
  'profile-sweep.1.0': checkSweep,
  'gpu-telemetry-record': (report, record) => new TelemetryOrder().check(report, record),
  'raw-record': checkRawRequest,
  'phase-manifest.1': checkPhaseManifest,
  'phase-server-metrics.1': checkPhaseServerMetrics,
  'phase-gpu-telemetry.1': (report, document) => {
    checkPhase(report, document);
    checkTelemetry(report, ['data'], getObject(document, 'data') ?? {});
  },
  inputs: noCheck,
  'outputs.1.0': checkOutputs,
  'results-ready': noCheck,
  'search-history.1.0': noCheck,
  'trend.1': noCheck,
  'push.1': noCheck,
};
