import { serverMetricsRecord } from './generated/shapes.ts';
import { type Line, splitLines } from './json/lines.ts';
import { narrowIntegers } from './json/narrow.ts';
import { JsonSyntaxError, parseJson } from './json/parse.ts';
import { RecordRules } from './rules/record.ts';
import type { Findings, Report } from './rules/report.ts';
import { asObject, type Values } from './rules/values.ts';
import { checkSchema, loadValidator } from './schema-check.ts';
import { decodeText, EncodingError } from './source.ts';
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
    const record = readRecord(report, line);
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

/** The record of a line; undefined for an empty line and for one that is no JSON object. */
function readRecord(report: Report, line: Line): Values | undefined {
  try {
    const text = decodeText(line.bytes);
    if (text.trim() === '') return undefined;
    const { value, duplicates, wide } = parseJson(text);
    if (wide) narrowIntegers(value as object);
    for (const { path } of duplicates) report('json-duplicate-key', path, 'stands twice in its object');
    const record = asObject(value);
    if (!record) report('document-unknown', [], 'is no JSON object; every line is one');
    return record;
  } catch (error) {
    if (error instanceof EncodingError) report('text-encoding', [], error.message);
    else if (error instanceof JsonSyntaxError) report('json-syntax', [], syntaxMessage(error, line));
    else throw error;
    return undefined;
  }
}

function syntaxMessage(error: JsonSyntaxError, line: Line): string {
  const cut = line.ended ? '' : '; the file ends in the middle of this line, as when the writer was killed';
  return error.message.replace(/\(line 1, /, '(') + cut;
}
