/**
 * Parses additional fields of request bodies. Each text is a JSON object or `name:value`; a value that is valid
 * JSON is parsed (`temperature:0.5`, `ignore_eos:true`), any other value is a string. Throws RangeError for any
 * other text, and if a field is set more than once.
 */
export function parseExtraInputs(texts: readonly string[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const text of texts) {
    for (const [name, value] of parseEntries(text)) {
      if (Object.hasOwn(fields, name))
        throw new RangeError(`${JSON.stringify(text)}: ${name} is set more than once; expected one value`);
      // Assigning to the name __proto__ would set the prototype instead.
      Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
    }
  }
  return fields;
}

function parseEntries(text: string): [string, unknown][] {
  if (text.trim().startsWith('{')) {
    try {
      return Object.entries(JSON.parse(text) as object);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new RangeError(`${JSON.stringify(text)}: not valid JSON (${reason})`);
    }
  }
  const colon = text.indexOf(':');
  if (colon < 1) throw new RangeError(`${JSON.stringify(text)}: expected NAME:VALUE or a JSON object`);
  return [[text.slice(0, colon), parseValue(text.slice(colon + 1))]];
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
