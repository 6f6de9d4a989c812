import { headLength, type Source } from './byte-source.ts';
import { UnreadableError } from './unreadable.ts';

export type { Source } from './byte-source.ts';
export { UnreadableError } from './unreadable.ts';

/** What can be read and validated: a path, a file: or http(s): URL, bytes, or the text itself. */
export type Input = string | URL | Uint8Array;

/**
 * Opens an input. A string is the text itself when it has more than one line or begins like JSON or CSV, and a
 * path otherwise.
 *
 * @throws the file system's error for a file that cannot be read, UnreadableError for a URL that does not
 * answer, TypeError for a URL of another kind.
 */
export async function openSource(input: Input): Promise<Source> {
  if (typeof input === 'string')
    return isText(input) ? memorySource(new TextEncoder().encode(input)) : await fileSource(input);
  if (!(input instanceof URL)) return memorySource(input);
  if (input.protocol === 'file:') return await fileSource(input);
  return memorySource(await download(input), input.href);
}

/** Loaded when a file comes: a browser has none, and loads nothing of Node's. */
async function fileSource(path: string | URL): Promise<Source> {
  const { openFile } = await import('./source-file.ts');
  return await openFile(path);
}

function isText(input: string): boolean {
  return (
    /[\n\r]/.test(input) ||
    /^\uFEFF?\s*([[{#]|(Endpoint|Metric|Timeslice),)/.test(input) ||
    input.trim() === ''
  );
}

async function download(url: URL): Promise<Uint8Array> {
  if (!/^https?:$/.test(url.protocol))
    throw new TypeError(`cannot read ${url.href}: expected a file:, http: or https: URL`);
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(30_000) });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? cause.message : message;
    throw new UnreadableError(`cannot read ${url.href}: ${reason}`, { cause: error });
  }
}

function memorySource(bytes: Uint8Array, name?: string): Source {
  return {
    name,
    file: undefined,
    head: bytes.subarray(0, headLength),
    bytes: async () => bytes,
    stream: async function* () {
      yield bytes;
    },
  };
}

/** Bytes that are not UTF-8: at which byte. */
export class EncodingError extends UnreadableError {
  override readonly name: string = 'EncodingError';

  constructor(offset: number) {
    super(`cannot read text: byte ${offset} is not UTF-8`);
  }
}

/** Whether an error is about the source, and not a mistake of ours. */
export function isSourceError(error: unknown): error is Error {
  return error instanceof UnreadableError || (error instanceof Error && 'syscall' in error);
}

/**
 * Text of UTF-8 bytes, without a byte order mark.
 *
 * @throws EncodingError for other bytes, UnreadableError for more text than a string can hold (512 MB).
 */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) throw new EncodingError(invalidOffset(bytes));
    throw new UnreadableError(`cannot read text: ${bytes.length} bytes are more than a string can hold`, {
      cause: error,
    });
  }
}

/** The first byte that does not decode, found by halving. */
function invalidOffset(bytes: Uint8Array): number {
  let from = 0;
  let to = bytes.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (isValidPrefix(bytes.subarray(0, middle + 1))) from = middle + 1;
    else to = middle;
  }
  return from;
}

function isValidPrefix(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
