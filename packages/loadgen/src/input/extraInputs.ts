/** Values that are not JSON, in lower case. Scripts in Python write them with capital letters. */
const WORDS: ReadonlyMap<string, unknown> = new Map([
  ['true', true],
  ['false', false],
  ['none', null],
  ['null', null],
]);

/** A number without a digit before or after the point, such as `.5`. */
const SHORT_NUMBER = /^-?(?:\.\d+|\d+\.)$/;

/** The name of a field and the colon after it. */
const NAME_PATTERN = /^\s*\w[\w.-]*:/;
const MAX_NAME_LENGTH = 128;

/**
 * Parses additional fields of request bodies. Each text is a JSON object, or one or more fields `name:value`, separated by
 * commas; a value that is valid JSON is parsed (`temperature:0.5`, `ignore_eos:true`), any other value is a string. A comma
 * separates fields only if a name follows, and outside of brackets. A list of pairs, `[["name", value]]`, is accepted, too. Of
 * several values of a field, the last one is used, as in AIPerf. Throws RangeError for any other text.
 */
export function parseExtraInputs(texts: readonly string[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const [name, value] of texts.flatMap(parseEntries)) {
    // Assigning to the name __proto__ would set the prototype instead.
    Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return fields;
}

function parseEntries(text: string): [string, unknown][] {
  if (text.trim().startsWith('{')) return Object.entries(parseJson(text) as object);
  if (text.trim().startsWith('[')) return parsePairs(text);
  return splitFields(text).map(field => {
    const colon = field.indexOf(':');
    if (colon < 1) throw new RangeError(`${JSON.stringify(text)}: expected NAME:VALUE or a JSON object`);
    return [field.slice(0, colon).trim(), parseValue(field.slice(colon + 1).trim())];
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new RangeError(`${JSON.stringify(text)}: not valid JSON (${reason})`);
  }
}

/** Parses a list of names and values, as Python writes the entries of a dictionary. */
function parsePairs(text: string): [string, unknown][] {
  const pairs = parseJson(text);
  const isPair = (pair: unknown): pair is [string, unknown] =>
    Array.isArray(pair) && pair.length === 2 && typeof pair[0] === 'string';
  if (Array.isArray(pairs) && pairs.every(isPair)) return pairs;
  throw new RangeError(
    `${JSON.stringify(text)}: expected pairs of names and values, such as [["top_p",0.9]]`,
  );
}

/** Splits a text at commas outside of brackets and quotes that a name and a colon follow. */
function splitFields(text: string): string[] {
  const fields: string[] = [];
  let start = 0;
  let depth = 0;
  let isQuoted = false;
  for (let i = 0; i < text.length; i++) {
    const letter = text[i]!;
    if (letter === '"' && text[i - 1] !== '\\') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if ('{[('.includes(letter)) depth += 1;
    else if ('}])'.includes(letter)) depth -= 1;
    else if (letter === ',' && depth === 0 && NAME_PATTERN.test(text.slice(i + 1, i + 1 + MAX_NAME_LENGTH))) {
      fields.push(text.slice(start, i));
      start = i + 1;
    }
  }
  return [...fields, text.slice(start)];
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    if (SHORT_NUMBER.test(text)) return Number(text);
    const word = text.toLowerCase();
    return WORDS.has(word) ? WORDS.get(word) : text;
  }
}
