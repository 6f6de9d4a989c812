import type { ProfileRecord } from '../generated/profileRecord.ts';
import type { ServerMetricsRecord } from '../generated/serverMetricsRecord.ts';
import { Findings } from '../rules/findings.ts';
import { checkSchema, loadValidator } from '../schema/checkSchema.ts';
import { type Input, openSource } from '../source/openSource.ts';
import { FormatError } from '../validate/formatError.ts';
import type { Issue } from '../validate/issue.ts';
import { splitLines } from './lines.ts';
import { type RecordSchema, readRecordLine } from './recordLine.ts';

export interface RecordOptions {
  /** Told of every line that is no record, which is then left out. Without it such a line throws. */
  readonly onIssue?: (issue: Issue) => void;
}

/**
 * Reads server_metrics_export.jsonl (seed 002) record by record, whatever its size: one line is in memory at a
 * time. Times are exact bigints. Buckets are objects, which give "1" before "0.5": ask `sortBounds`.
 *
 * @throws FormatError for the first line that is no record, unless `onIssue` is there; the file system's error
 * when no such file.
 */
export function readRecords(input: Input, options: RecordOptions = {}): AsyncGenerator<ServerMetricsRecord> {
  return readLines(input, 'server-metrics-record', options);
}

/**
 * Reads profile_export.jsonl request by request, whatever its size: one line is in memory at a time. Times are exact
 * bigints.
 *
 * @throws as `readRecords`.
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
