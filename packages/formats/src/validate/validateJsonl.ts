import { splitLines } from '../jsonl/lines.ts';
import { type RecordSchema, readRecordLine } from '../jsonl/readRecords.ts';
import type { Findings, Report } from '../rules/findings.ts';
import { RecordRules } from '../rules/record.ts';
import { checkRawRequest, checkRequest, RequestOrder } from '../rules/request.ts';
import { TelemetryOrder } from '../rules/telemetry.ts';
import type { Values } from '../rules/values.ts';
import { checkSchema, checkUnknownFields } from '../schema/checkSchema.ts';
import { loadValidator, schemaShapes } from '../schema/schemas.ts';
import { detectRecord, isProfileRecord } from './documentKind.ts';

/** Kinds of documents in JSON lines. */
export type JsonlKind =
  | 'server-metrics-jsonl'
  | 'profile-export-jsonl'
  | 'gpu-telemetry-jsonl'
  | 'raw-records-jsonl';

const SCHEMAS: Readonly<Record<JsonlKind, RecordSchema>> = {
  'server-metrics-jsonl': 'server-metrics-record',
  'profile-export-jsonl': 'profile-record',
  'gpu-telemetry-jsonl': 'gpu-telemetry-record',
  'raw-records-jsonl': 'raw-record',
};

type Check = (report: Report, record: Values) => void;

/**
 * Validates a file of records, such as profile_export.jsonl, with one line in memory at a time. The first record
 * determines the kind; in a file without records, the file name does.
 */
export async function validateJsonl(
  findings: Findings,
  stream: AsyncIterable<Uint8Array>,
  strict: boolean,
  name = '',
): Promise<JsonlKind | 'unknown'> {
  let kind: JsonlKind | undefined;
  let check: Check | undefined;
  const findSchema = (record: Values): RecordSchema | undefined => {
    const recordKind = kind ?? detectKind(record);
    return recordKind && SCHEMAS[recordKind];
  };
  for await (const line of splitLines(stream)) {
    const report = findings.inLine(line.number);
    const record = readRecordLine(report, line, findSchema);
    if (!record) continue;
    kind ??= detectKind(record);
    if (!kind) {
      report('document-unknown', [], NOT_A_RECORD);
      return 'unknown';
    }
    check ??= await createCheck(kind, strict);
    check(report, record);
  }
  return kind ?? detectKindByName(name);
}

const NOT_A_RECORD =
  'is not a server metrics record (endpoint_url, timestamp_ns and metrics) or a request record (metadata and metrics)';

function detectKind(record: Values): JsonlKind | undefined {
  const kind = detectRecord(record)?.document;
  if (kind) return kind as JsonlKind;
  if ('endpoint_url' in record || 'timestamp_ns' in record) return 'server-metrics-jsonl';
  return isProfileRecord(record) || ('metadata' in record && 'metrics' in record)
    ? 'profile-export-jsonl'
    : undefined;
}

function detectKindByName(name: string): JsonlKind {
  if (/gpu_telemetry[^/\\]*$/.test(name)) return 'gpu-telemetry-jsonl';
  if (/_raw\.(jsonl|ndjson)(\.gz)?$/.test(name)) return 'raw-records-jsonl';
  return /(^|[/\\])profile_export[^/\\]*$/.test(name) ? 'profile-export-jsonl' : 'server-metrics-jsonl';
}

async function createCheck(kind: JsonlKind, strict: boolean): Promise<Check> {
  const validator = await loadValidator(SCHEMAS[kind]);
  const shape = schemaShapes[SCHEMAS[kind]];
  const checkRules = createRules(kind);
  return (report, record) => {
    checkSchema(report, validator, record);
    checkRules(report, record);
    if (strict) checkUnknownFields(report, record, shape);
  };
}

/** Returns a function that checks constraints that JSON Schema cannot express, for the records of one file. */
function createRules(kind: JsonlKind): Check {
  if (kind === 'server-metrics-jsonl') {
    const rules = new RecordRules();
    return (report, record) => rules.check(report, record);
  }
  if (kind === 'gpu-telemetry-jsonl') {
    const order = new TelemetryOrder();
    return (report, record) => order.check(report, record);
  }
  if (kind === 'raw-records-jsonl') return checkRawRequest;
  const requests = new RequestOrder();
  return (report, record) => {
    checkRequest(report, record);
    requests.check(report, record);
  };
}
