import { download } from './download.ts';
import { HEAD_BYTES, type Source } from './source.ts';
import { openStreamSource } from './streamSource.ts';

/**
 * Input that can be read and validated: a path, a `file:`, `http:` or `https:` URL, the text of a file, its bytes,
 * a stream of bytes, or an opened source.
 */
export type Input = string | URL | Uint8Array | ArrayBuffer | AsyncIterable<Uint8Array> | Source;

/**
 * Opens an input and reads its first bytes, so that the format can be detected before a reader consumes a
 * pipe. An opened source is returned as is. A string is treated as text if it has several lines or starts
 * like JSON or CSV, as a URL if it starts with `http:`, `https:` or `file:`, and as a path otherwise.
 *
 * @throws an error of the file system for a file that cannot be read, UnreadableError for a failed download,
 * TypeError for a URL with another scheme
 */
export async function openSource(input: Input): Promise<Source> {
  if (typeof input === 'string') return await openNamedSource(input);
  if (input instanceof Uint8Array) return createMemorySource(input);
  if (input instanceof ArrayBuffer) return createMemorySource(new Uint8Array(input));
  if (input instanceof URL) return await openUrlSource(input);
  return isSource(input) ? input : await openStreamSource(undefined, input);
}

function isSource(input: AsyncIterable<Uint8Array> | Source): input is Source {
  return 'head' in input && 'stream' in input;
}

async function openNamedSource(input: string): Promise<Source> {
  if (isText(input)) return createMemorySource(new TextEncoder().encode(input));
  return isUrl(input) ? await openUrlSource(new URL(input)) : await openFileSource(input);
}

/** Reports whether a string is an `http:`, `https:` or `file:` URL. */
export function isUrl(text: string): boolean {
  return /^(https?|file):\/\//i.test(text) && URL.canParse(text);
}

async function openUrlSource(url: URL): Promise<Source> {
  if (url.protocol === 'file:') return await openFileSource(url);
  if (!/^https?:$/.test(url.protocol))
    throw new TypeError(`cannot read ${url.href}: expected a file:, http: or https: URL`);
  return await openStreamSource(url.href, download(url));
}

/** Opens a file. The file reader is imported only when needed, because browsers have no `node:fs`. */
async function openFileSource(path: string | URL): Promise<Source> {
  const { openFile } = await import('./fileSource.ts');
  return await openFile(path);
}

/** Reports whether a string is the text of an export rather than a path or URL. */
function isText(input: string): boolean {
  return (
    /[\n\r]/.test(input) ||
    /^\uFEFF?\s*([[{#]|(Endpoint|Metric|Timeslice),)/.test(input) ||
    input.trim() === ''
  );
}

function createMemorySource(bytes: Uint8Array): Source {
  return {
    name: undefined,
    file: undefined,
    head: bytes.subarray(0, HEAD_BYTES),
    bytes: async () => bytes,
    stream: async function* () {
      yield bytes;
    },
  };
}
