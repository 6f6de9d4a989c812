/**
 * Reads fields that are to stand in the body of each request, each given as a JSON object or as `name:value`, where a value
 * that is JSON is taken as that (`temperature:0.5`, `ignore_eos:true`) and every other one as text. Throws for what is neither.
 */
export function parseExtraInputs(given: readonly string[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const one of given) {
    for (const [name, value] of entriesOf(one)) {
      // A name such as __proto__ is a name like any other.
      Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
    }
  }
  return fields;
}

function entriesOf(given: string): [string, unknown][] {
  if (given.trim().startsWith('{')) {
    try {
      return Object.entries(JSON.parse(given) as object);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new RangeError(`extra input ${JSON.stringify(given)} is no JSON object: ${why}`);
    }
  }
  const colon = given.indexOf(':');
  if (colon < 1)
    throw new RangeError(`extra input is ${JSON.stringify(given)}; name:value or a JSON object is accepted`);
  return [[given.slice(0, colon), meaning(given.slice(colon + 1))]];
}

function meaning(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
