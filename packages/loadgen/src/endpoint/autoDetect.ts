import type { Delta } from './endpoint.ts';
import { createDelta, readChoices, toFields, toText } from './responseFields.ts';

/** Finds vectors, scores or a text in a response of an unknown API. */
export function detectContent(json: unknown): Delta {
  if (typeof json === 'string') return createDelta({}, json, '');
  if (Array.isArray(json)) return describeValue({}, json);
  const fields = toFields(json);
  const list = [fields.data, fields.embeddings, fields.embedding, fields.rankings, fields.results].find(
    Array.isArray,
  );
  if (list !== undefined) return describeValue(fields, list);
  return createDelta(fields, findText(fields), '');
}

/** Describes a value that a query has found in a response. */
export function describeValue(json: unknown, value: unknown): Delta {
  const fields = toFields(json);
  if (typeof value === 'string') return createDelta(fields, value, '');
  if (!Array.isArray(value)) return createDelta(fields, '', '');
  if (value.length > 0 && value.every(item => typeof item === 'string'))
    return createDelta(fields, value.join(''), '');
  const isVector = typeof value[0] === 'number';
  return { ...createDelta(fields, '', ''), results: isVector ? 1 : value.length };
}

/** Fields that may contain the text of a response, in order of precedence. */
const TEXT_FIELDS = ['text', 'content', 'response', 'output', 'result'] as const;

function findText(fields: Readonly<Record<string, unknown>>): string {
  for (const name of TEXT_FIELDS) {
    const value = fields[name];
    if (typeof value === 'string') return value;
    if (Array.isArray(value) && value.length > 0 && value.every(item => typeof item === 'string'))
      return value.join('');
  }
  const [choice = {}] = readChoices(fields);
  const { text, message, delta } = choice;
  return toText(text) || toText(toFields(message).content) || toText(toFields(delta).content);
}
