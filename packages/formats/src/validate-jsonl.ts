import { serverMetricsRecord } from './generated/shapes.ts';
import { splitLines } from './json/lines.ts';
import { readRecordLine } from './json/record-line.ts';
import { RecordRules } from './rules/record.ts';
import type { Findings } from './rules/report.ts';
import { checkSchema, loadValidator } from './schema-check.ts';
import { checkUnknownFields } from './unknown-fields.ts';

/** Checks server_metrics_export.jsonl line by line, whatever its size. */
export async function validateJsonl(
  findings: Findings,
  stream: AsyncIterable<Uint8Array>,
  strict: boolean,
): Promise<void> {
  const validator = await loadValidator('server-metrics-record');
  const rules = new RecordRules();
  for await (const line of splitLines(stream)) {
    const report = findings.inLine(line.number);
    const record = readRecordLine(report, line);
    if (!record) continue;
    if (line.number === 1 && !('endpoint_url' in record) && !('timestamp_ns' in record)) {
      report(
        'document-unknown',
        [],
        'is no record of server metrics; expected endpoint_url, timestamp_ns and metrics',
      );
      return;
    }
    checkSchema(report, validator, record);
    rules.check(report, record);
    if (strict) checkUnknownFields(report, record, serverMetricsRecord);
  }
}
