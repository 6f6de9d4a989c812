import { narrowIntegers } from '../json/narrowIntegers.ts';
import { JsonSyntaxError, parseJson } from '../json/parse.ts';
import type { Report } from '../rules/findings.ts';
import { asObject, type Values } from '../rules/values.ts';
import { schemaShapes } from '../schema/schemaShapes.ts';
import { decodeText, EncodingError } from '../source/source.ts';
import type { Line } from './lines.ts';

/** The schemas of single lines. */
export type RecordSchema = 'server-metrics-record' | 'profile-record';

/**
 * The JSON object of a line, of the schema that `schemaOf` says; undefined for an empty line, and for one that is
 * reported.
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
    for (const { path } of duplicates) report('json-duplicate-key', path, 'stands twice in its object');
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
  const cut = line.ended ? '' : '; the file ends in the middle of this line, as when its writer was killed';
  return error.message.replace('(line 1, ', '(') + cut;
}
