import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { FetchError } from './failure.ts';
import { formatLimitExceeded } from './limits.ts';

type Decoder = (data: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>;

const inflateZlibStream: Decoder = promisify(inflate);
const inflateRawStream: Decoder = promisify(inflateRaw);

const DECODERS: Readonly<Record<string, Decoder>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: (data, options) => (hasZlibHeader(data) ? inflateZlibStream : inflateRawStream)(data, options),
  br: promisify(brotliDecompress),
};

/**
 * The Accept-Encoding header of compressed scrapes. Lists only encodings that cost the server little CPU
 * time.
 */
export const ACCEPTED_ENCODINGS = 'gzip, deflate';

/**
 * Reports whether the data starts with a zlib header. The encoding `deflate` is the zlib format (RFC 9110,
 * 8.4.1.2), but some servers send a raw DEFLATE stream without a header.
 */
function hasZlibHeader(data: Uint8Array): boolean {
  const [method = 0, flags = 0] = data;
  return (method & 15) === 8 && ((method << 8) | flags) % 31 === 0;
}

/**
 * Decompresses a body according to its Content-Encoding header. Throws `FetchError` if the encoding is not
 * supported, the data is invalid, or the result exceeds `maxBytes` bytes.
 */
export async function decodeBody(
  encoded: Uint8Array,
  encoding: string | readonly string[] | undefined,
  maxBytes: number,
): Promise<Uint8Array> {
  const name = String(encoding ?? 'identity')
    .trim()
    .toLowerCase();
  if (name === 'identity' || name === '') {
    if (encoded.length <= maxBytes) return encoded;
    throw new FetchError(
      'too_large',
      formatLimitExceeded(`sent a body of ${encoded.length} bytes`, 'decodedBytes', maxBytes),
    );
  }
  const decoder = Object.hasOwn(DECODERS, name) ? DECODERS[name] : undefined;
  if (!decoder) {
    const supported = Object.keys(DECODERS).join(', ');
    // Unusual values are not quoted, because they may echo a credential.
    const quotedName = /^[a-z-]{1,16}$/.test(name) ? JSON.stringify(name) : 'that is not a valid name';
    throw new FetchError('encoding', `sent a content-encoding ${quotedName}; expected ${supported}`);
  }
  try {
    return await decoder(encoded, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      const problem = `sent ${encoded.length} bytes of ${name} that decompress to more than ${maxBytes} bytes`;
      throw new FetchError('too_large', formatLimitExceeded(problem, 'decodedBytes', maxBytes));
    }
    throw new FetchError('encoding', `sent a ${name} body that cannot be decompressed`, error);
  }
}
