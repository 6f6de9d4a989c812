import type { ProfileRecord } from '../generated/profileRecord.ts';
import type { ServerMetricsRecord } from '../generated/serverMetricsRecord.ts';
import { Findings } from '../rules/findings.ts';
import { checkSchema } from '../schema/checkSchema.ts';
import { loadValidator } from '../schema/schemaValidator.ts';
import { type Input, openSource } from '../source/openSource.ts';
import { FormatError } from '../validate/formatError.ts';
import type { Issue } from '../validate/issue.ts';
import { splitLines } from './lines.ts';
import { type RecordSchema, readRecordLine } from './recordLine.ts';

export interface RecordOptions {
  /** Called for each problem. Invalid lines are then skipped; without this callback they throw. */
  readonly onIssue?: (issue: Issue) => void;
}

/**
 * Reads server_metrics_export.jsonl record by record, with one line in memory at a time. Times are exact bigints. Use
 * `sortBounds` to iterate buckets in order, because objects list "1" before "0.5".
 *
 * @throws FormatError for the first invalid line, unless `onIssue` is set; the file system's error if the file cannot
 * be read
 */
export function readRecords(input: Input, options: RecordOptions = {}): AsyncGenerator<ServerMetricsRecord> {
  return readLines(input, 'server-metrics-record', options);
}

/**
 * Reads profile_export.jsonl request by request, with one line in memory at a time. Times are exact bigints.
 *
 * @throws FormatError and errors of the file system, as `readRecords`
 */
export function readProfileRecords(input: Input, options: RecordOptions = {}): AsyncGenerator<ProfileRecord> {
  return readLines(input, 'profile-record', options);
}

async function* readLines<Line>(
  input: Input,
  schema: RecordSchema,
  { onIssue }: RecordOptions,
): AsyncGenerator<Line> {
  const source = await openSource(input);
  const validator = await loadValidator(schema);
  for await (const line of splitLines(source.stream())) {
    const findings = new Findings();
    const report = findings.inLine(line.number);
    const record = readRecordLine(report, line, () => schema);
    if (record) checkSchema(report, validator, record);
    const issues = findings.kept.map(finding => finding.issue);
    if (findings.failed && !onIssue) throw new FormatError(source.name ?? 'the text', issues);
    for (const issue of issues) onIssue?.(issue);
    if (record && !findings.failed) yield record as unknown as Line;
  }
}
