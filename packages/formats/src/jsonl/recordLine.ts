import { narrowIntegers } from '../json/narrowIntegers.ts';
import { JsonSyntaxError, parseJson } from '../json/parse.ts';
import type { Report } from '../rules/findings.ts';
import { asObject, type Values } from '../rules/values.ts';
import { schemaShapes } from '../schema/schemaShapes.ts';
import { EncodingError } from '../source/errors.ts';
import { decodeText } from '../source/text.ts';
import type { Line } from './lines.ts';

/** Schemas of JSONL records. */
export type RecordSchema = 'server-metrics-record' | 'profile-record';

/**
 * Parses a line to a JSON object. Returns undefined for an empty line, and for an invalid line, which is reported.
 *
 * @param schemaOf returns the schema that determines how wide integers of the record are narrowed
 */
export function readRecordLine(
  report: Report,
  line: Line,
  schemaOf: (record: Values) => RecordSchema | undefined,
): Values | undefined {
  try {
    const text = decodeText(line.bytes);
    if (text.trim() === '') return undefined;
    const { value, duplicates, wide } = parseJson(text);
    const record = asObject(value);
    const schema = record && wide ? schemaOf(record) : undefined;
    if (record && schema) narrowIntegers(record, schemaShapes[schema]);
    for (const { path } of duplicates) report('json-duplicate-key', path, 'is a duplicate key');
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
  const truncated = line.ended ? '' : '; the line is incomplete, probably because the writer was killed';
  return error.message.replace('(line 1, ', '(') + truncated;
}
