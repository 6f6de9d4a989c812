import { createReadStream } from 'node:fs';

/** An error for an invalid input file. */
export class InputError extends Error {
  override name = 'InputError';
}

/** The fields of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

/**
 * Parses each line of a JSONL file, skipping empty lines. Rejects with an `InputError` that starts with
 * `path:line` if a line is invalid.
 */
export async function readJsonLines<T>(
  path: string,
  parse: (line: Fields, number: number) => T,
): Promise<T[]> {
  const parsed: T[] = [];
  let number = 0;
  for await (const line of readLines(path)) {
    number += 1;
    if (line.trim() === '') continue;
    try {
      parsed.push(parse(parseObject(line), number));
    } catch (error) {
      if (error instanceof InputError) throw new InputError(`${path}:${number}: ${error.message}`);
      throw error;
    }
  }
  return parsed;
}

/** Maximum length of a line, in bytes. A device such as `/dev/zero` has no line ends. */
const MAX_LINE_BYTES = 1 << 27;

/**
 * Reads a file line by line. Lines end only at line feeds; `node:readline` also ends them at U+2028, which strings of
 * JSON may contain.
 */
async function* readLines(path: string): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  let lineBytes = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', from)) {
      yield Buffer.concat([...parts, chunk.subarray(from, end)]).toString();
      parts = [];
      lineBytes = 0;
      from = end + 1;
    }
    parts.push(chunk.subarray(from));
    lineBytes += chunk.length - from;
    if (lineBytes > MAX_LINE_BYTES) throw new InputError(`${path} has a line of more than 128 MiB`);
  }
  if (lineBytes > 0) yield Buffer.concat(parts).toString();
}

function parseObject(line: string): Fields {
  let json: unknown;
  try {
    // Editors on Windows write a byte order mark at the start of a file.
    json = JSON.parse(line.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new InputError(`invalid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new InputError('the line is not a JSON object');
  return json as Fields;
}

/** Returns a string field, or undefined if it is absent or null. Throws an `InputError` for any other value. */
export function readOptionalText(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string')
    throw new InputError(`${name} is ${JSON.stringify(value)}; expected a string`);
  return value;
}

/**
 * Returns a non-negative number field, or undefined if it is absent or null. Throws an `InputError` for any
 * other value.
 */
export function readOptionalNumber(fields: Fields, name: string): number | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !(value >= 0))
    throw new InputError(`${name} is ${JSON.stringify(value)}; expected a number of at least 0`);
  return value;
}

/**
 * Returns the delay after the previous response, in ms; undefined if it is absent or 0. Throws an `InputError` if
 * the turn also has a timestamp, because only one of them would be used.
 */
export function readDelay(fields: Fields): number | undefined {
  const delayMs = readOptionalNumber(fields, 'delay') || undefined;
  if (delayMs !== undefined) checkAlternatives(fields, ['timestamp', 'delay']);
  return delayMs;
}

/** Throws an `InputError` if the first turn of a conversation, on line `line` of a file, has a delay. */
export function checkFirstTurn(path: string, line: number, delayMs: number | undefined): void {
  if (delayMs === undefined) return;
  throw new InputError(
    `${path}:${line}: delay is ${delayMs}, but a delay follows the previous response, and this is the first turn of its conversation; use timestamp instead`,
  );
}

/** Returns the prompt: `text`, `prompt`, or the only entry of `texts`. Throws an `InputError` if there is none. */
export function readPrompt(fields: Fields): string {
  const { text, prompt, texts } = fields;
  const value = text ?? prompt ?? (Array.isArray(texts) && texts.length === 1 ? texts[0] : undefined);
  if (typeof value !== 'string')
    throw new InputError('missing prompt; expected a string field "text" or "prompt"');
  return value;
}

/** Fields of AIPerf's formats for contents that cannot be sent. */
const UNSUPPORTED_CONTENT = /^(?:image|audio|video)s?$/;

/**
 * Throws an `InputError` if an object has other fields than `names`, because they would not be sent. Fields that
 * are null count as absent.
 */
export function checkFields(fields: Fields, names: readonly string[]): void {
  const unknown = Object.keys(fields).find(name => !names.includes(name) && fields[name] !== null);
  if (unknown === undefined) return;
  throw new InputError(
    UNSUPPORTED_CONTENT.test(unknown)
      ? `field ${JSON.stringify(unknown)} is not supported; only text can be sent`
      : `unknown field ${JSON.stringify(unknown)}; expected one of ${names.join(', ')}`,
  );
}

/** Throws an `InputError` if several of the fields are present, because only one of them would be used. */
export function checkAlternatives(fields: Fields, names: readonly string[]): void {
  const present = names.filter(name => fields[name] !== undefined && fields[name] !== null);
  if (present.length > 1)
    throw new InputError(`the fields ${present.join(' and ')} exclude each other; set only one of them`);
}
