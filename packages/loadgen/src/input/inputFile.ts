/** A line of an input file that cannot be used. */
export class InputError extends Error {
  override name = 'InputError';
}

/** Fields of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

/** Reads one line. Throws InputError when it is no JSON object. */
export function readLine(line: string): Fields {
  let json: unknown;
  try {
    // Editors on Windows put a byte order mark in front of the first line.
    json = JSON.parse(line.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new InputError(`the line is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new InputError('the line is no JSON object');
  return json as Fields;
}

export function optionalText(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string')
    throw new InputError(`${name} is ${JSON.stringify(value)}; a text is accepted`);
  return value;
}

export function optionalNumber(fields: Fields, name: string): number | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !(value >= 0))
    throw new InputError(`${name} is ${JSON.stringify(value)}; a number from 0 is accepted`);
  return value;
}

/** What is said: `text`, `prompt`, or `texts` of which there is one. */
export function textIn(fields: Fields): string {
  const { text, prompt, texts } = fields;
  const found = text ?? prompt ?? (Array.isArray(texts) && texts.length === 1 ? texts[0] : undefined);
  if (typeof found !== 'string')
    throw new InputError('there is no text; a field "text" or "prompt" with a text is needed');
  return found;
}
