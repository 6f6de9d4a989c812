import { headLength, type Source } from './byteSource.ts';
import { download } from './download.ts';
import { UnreadableError } from './errors.ts';
import { streamSource } from './streamSource.ts';

export type { Source } from './byteSource.ts';
export { UnreadableError } from './errors.ts';

/**
 * What can be read and validated: a path, a file: or http(s): URL, the text itself, its bytes, at once or as a stream, or
 * what was opened already.
 */
export type Input = string | URL | Uint8Array | ArrayBuffer | AsyncIterable<Uint8Array> | Source;

/**
 * Opens an input and takes its first bytes, by which its kind can be told before a reader gets it: a pipe can be read once
 * only. What is open already stays as it is. A string is the text itself when it has more than one line or begins like JSON or CSV, a URL when it
 * begins like one, and a path otherwise.
 *
 * @throws the file system's error for a file that cannot be read, UnreadableError for a URL that does not
 * answer, TypeError for a URL of another kind.
 */
export async function openSource(input: Input): Promise<Source> {
  if (typeof input === 'string') return await namedSource(input);
  if (input instanceof Uint8Array) return memorySource(input);
  if (input instanceof ArrayBuffer) return memorySource(new Uint8Array(input));
  if (input instanceof URL) return await urlSource(input);
  return isSource(input) ? input : await streamSource(undefined, input);
}

function isSource(input: AsyncIterable<Uint8Array> | Source): input is Source {
  return 'head' in input && 'stream' in input;
}

async function namedSource(input: string): Promise<Source> {
  if (isText(input)) return memorySource(new TextEncoder().encode(input));
  return isUrl(input) ? await urlSource(new URL(input)) : await fileSource(input);
}

/** Whether a name is that of something to download or a file: URL; no path begins like this. */
export function isUrl(name: string): boolean {
  return /^(https?|file):\/\//i.test(name) && URL.canParse(name);
}

async function urlSource(url: URL): Promise<Source> {
  if (url.protocol === 'file:') return await fileSource(url);
  if (!/^https?:$/.test(url.protocol))
    throw new TypeError(`cannot read ${url.href}: expected a file:, http: or https: URL`);
  return await streamSource(url.href, download(url));
}

/** Loaded when a file comes: a browser has none, and loads nothing of Node's. */
async function fileSource(path: string | URL): Promise<Source> {
  const { openFile } = await import('./fileSource.ts');
  return await openFile(path);
}

function isText(input: string): boolean {
  return (
    /[\n\r]/.test(input) ||
    /^\uFEFF?\s*([[{#]|(Endpoint|Metric|Timeslice),)/.test(input) ||
    input.trim() === ''
  );
}

function memorySource(bytes: Uint8Array): Source {
  return {
    name: undefined,
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
