import type { Source } from './source.ts';

/**
 * Input that can be read and validated: the text of a document, a path from `fromPath`, a `file:`, `http:` or
 * `https:` URL, a Blob, bytes, a stream of bytes, or an opened source. A string is always the text of a
 * document, so that text from an untrusted sender cannot select a file or a URL.
 */
export type Input =
  | string
  | FilePath
  | URL
  | Blob
  | ArrayBuffer
  | ArrayBufferView
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>
  | Source;

/** The path of a file, a partitioned dataset, or a special file such as a named pipe. */
export class FilePath {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }
}

/** Returns the input for a path. The file is opened when the input is read. */
export function fromPath(path: string): FilePath {
  return new FilePath(path);
}

/**
 * Reports whether a value is an input rather than a parsed document. A document contains no functions and no
 * instances of classes.
 */
export function isInput(value: unknown): value is Input {
  if (typeof value === 'string') return true;
  if (typeof value !== 'object' || value === null) return false;
  return (
    value instanceof FilePath ||
    ArrayBuffer.isView(value) ||
    isUrl(value) ||
    isBlob(value) ||
    isArrayBuffer(value) ||
    isReadableStream(value) ||
    isSource(value) ||
    Symbol.asyncIterator in value
  );
}

// Instances from other realms, such as the windows of a browser or jsdom, fail instanceof.

export function isUrl(value: object): value is URL {
  return getClassName(value) === 'URL';
}

export function isBlob(value: object): value is Blob {
  return ['Blob', 'File'].includes(getClassName(value));
}

export function isArrayBuffer(value: object): value is ArrayBuffer {
  return getClassName(value) === 'ArrayBuffer';
}

export function isReadableStream(value: object): value is ReadableStream<Uint8Array> {
  return getClassName(value) === 'ReadableStream';
}

export function isSource(value: object): value is Source {
  return 'stream' in value && typeof value.stream === 'function' && 'head' in value;
}

function getClassName(value: object): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}
