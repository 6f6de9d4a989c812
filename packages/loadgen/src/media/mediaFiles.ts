import { readFileSync, statSync } from 'node:fs';
import { extname } from 'node:path';
import { describeSystemError } from '@org/core';
import { InputError } from '../input/inputError.ts';

/** A kind of contents that are not text. */
export type MediaKind = 'image' | 'audio' | 'video';

/** Maximum size of a file, in bytes. */
const MAX_FILE_BYTES = 1 << 25;
/** Maximum size of all files, in bytes. */
const MAX_TOTAL_BYTES = 1 << 29;

/** The forms of a kind of contents. */
interface MediaFormat {
  /** Matches contents that are sent as they are. */
  readonly encoded: RegExp;
  /** True if URLs are sent to the server. */
  readonly allowsUrls: boolean;
  /** The accepted contents, for messages. */
  readonly expected: string;
  /** Encodes a file; undefined if its format is unknown. */
  readonly encode: (path: string, bytes: Buffer) => string | undefined;
}

const FORMATS: Readonly<Record<MediaKind, MediaFormat>> = {
  image: {
    encoded: /^data:/i,
    allowsUrls: true,
    expected: 'a URL, a data URL, or the path of a PNG or JPEG file',
    encode: encodeImage,
  },
  audio: {
    encoded: /^(?:wav|mp3|data:audio\/[^,]*),/i,
    allowsUrls: false,
    expected: 'the path of a .wav or .mp3 file, or its format and data, such as wav,BASE64',
    encode: (path, bytes) => encodeByName(path, bytes, ['wav', 'mp3'], format => `${format},`),
  },
  video: {
    encoded: /^data:/i,
    allowsUrls: true,
    expected: 'a URL, a data URL, or the path of a .mp4 or .webm file',
    encode: (path, bytes) =>
      encodeByName(path, bytes, ['mp4', 'webm'], format => `data:video/${format};base64,`),
  },
};

/** Images, audio clips and videos of an input file. Each file is read once. */
export class MediaFiles {
  readonly #encoded = new Map<string, string>();
  #totalBytes = 0;

  /**
   * Returns contents as they are sent: URLs and encoded contents unchanged, and the data of a local file, whose path is
   * relative to the current folder. Throws an `InputError` that names the field if the contents are invalid.
   */
  read(kind: MediaKind, value: string, field: string): string {
    const { encoded, allowsUrls, expected } = FORMATS[kind];
    if (encoded.test(value) || (allowsUrls && isUrl(value))) return value;
    const fail = (problem: string): InputError =>
      new InputError(`${field} is ${shorten(value)}${problem}; expected ${expected}`);
    if (value.includes('://')) throw fail('');
    const key = `${kind} ${value}`;
    const known = this.#encoded.get(key);
    if (known !== undefined) return known;
    const data = FORMATS[kind].encode(value, this.#readBytes(value, fail));
    if (data === undefined) throw fail(', whose format is unknown');
    this.#encoded.set(key, data);
    return data;
  }

  #readBytes(path: string, fail: (problem: string) => InputError): Buffer {
    try {
      const stats = statSync(path);
      if (stats.isDirectory()) throw fail(', a folder');
      if (!stats.isFile()) throw fail(', which is not a regular file');
      if (stats.size > MAX_FILE_BYTES) throw fail(', a file of more than 32 MiB');
      this.#totalBytes += stats.size;
      if (this.#totalBytes > MAX_TOTAL_BYTES)
        throw new InputError('the images, audio clips and videos have more than 512 MiB');
      return readFileSync(path);
    } catch (error) {
      if (error instanceof InputError) throw error;
      throw fail(`, which cannot be read: ${describeSystemError(error)}`);
    }
  }
}

function isUrl(value: string): boolean {
  return value.includes('://') && URL.canParse(value) && new URL(value).host !== '';
}

/** Maximum number of characters of a path in a message. */
const MAX_PATH_CHARACTERS = 200;

function shorten(value: string): string {
  return JSON.stringify(
    value.length > MAX_PATH_CHARACTERS ? `${value.slice(0, MAX_PATH_CHARACTERS)}…` : value,
  );
}

/** Encodes a PNG or JPEG file, by its first bytes, as a data URL. */
function encodeImage(_path: string, bytes: Buffer): string | undefined {
  const isPng = bytes.subarray(0, 4).toString('latin1') === '\x89PNG';
  const isJpeg = bytes.subarray(0, 3).toString('latin1') === '\xff\xd8\xff';
  if (!isPng && !isJpeg) return undefined;
  return `data:image/${isPng ? 'png' : 'jpeg'};base64,${bytes.toString('base64')}`;
}

/** Encodes a file whose extension is one of `formats`. */
function encodeByName(
  path: string,
  bytes: Buffer,
  formats: readonly string[],
  formatPrefix: (format: string) => string,
): string | undefined {
  const extension = extname(path).slice(1).toLowerCase();
  return formats.includes(extension) ? formatPrefix(extension) + bytes.toString('base64') : undefined;
}
