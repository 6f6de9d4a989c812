import { checkContainer } from './container.ts';
import { download } from './download.ts';
import { gunzip, isGzip } from './gzip.ts';
import { FilePath, type Input, isArrayBuffer, isBlob, isReadableStream, isSource, isUrl } from './input.ts';
import { HEAD_BYTES, type Source, UnreadableError } from './source.ts';
import { openStreamSource, readStream } from './streamSource.ts';

/**
 * Opens an input and reads its first bytes, so that the format can be detected before a reader consumes a
 * pipe. Data that is compressed with gzip is decompressed while it is read. An opened source is returned as
 * is.
 *
 * @throws an error of the file system for a file that cannot be read, UnreadableError for a failed download, a
 * failed stream, another URL scheme or another kind of compression, EncodingError for UTF-16
 */
export async function openSource(input: Input): Promise<Source> {
  if (typeof input === 'object' && isSource(input)) return input;
  const source = await openRawSource(input);
  const opened = isGzip(source.head) ? await openGzipSource(source) : source;
  checkContainer(opened.head);
  return opened;
}

async function openRawSource(input: Exclude<Input, Source>): Promise<Source> {
  if (typeof input === 'string') return createMemorySource(new TextEncoder().encode(input));
  if (input instanceof FilePath) return await openFileSource(input.path);
  if (ArrayBuffer.isView(input))
    return createMemorySource(new Uint8Array(input.buffer, input.byteOffset, input.byteLength));
  if (isArrayBuffer(input)) return createMemorySource(new Uint8Array(input));
  if (isUrl(input)) return await openUrlSource(input);
  if (isBlob(input)) return await openStreamSource(getFileName(input), readStream(input.stream()));
  return await openStreamSource(undefined, isReadableStream(input) ? readStream(input) : input);
}

/** Returns the name of a File; undefined for any other Blob. */
function getFileName(blob: Blob): string | undefined {
  return 'name' in blob && typeof blob.name === 'string' ? blob.name : undefined;
}

async function openGzipSource(source: Source): Promise<Source> {
  const name = source.name?.replace(/\.gz$/i, '');
  return await openStreamSource(name, gunzip(source.name ?? 'the data', source.stream()));
}

async function openUrlSource(url: URL): Promise<Source> {
  if (url.protocol === 'file:') return await openFileSource(url);
  const name = removeCredentials(url);
  if (!/^https?:$/.test(url.protocol))
    throw new UnreadableError(`cannot read ${name}: expected a file:, http: or https: URL`);
  return await openStreamSource(name, download(url, name));
}

/** Returns a URL without its user name and password, for messages. */
function removeCredentials(url: URL): string {
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  return shown.href;
}

/** Opens a file. The file reader is imported only when needed, because browsers have no `node:fs`. */
async function openFileSource(path: string | URL): Promise<Source> {
  const { openFile } = await import('./fileSource.ts');
  return await openFile(path);
}

/** Creates a source of bytes in memory, which can be read repeatedly. */
export function createMemorySource(bytes: Uint8Array): Source {
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
