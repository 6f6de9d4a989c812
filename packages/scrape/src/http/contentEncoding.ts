import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { FetchError } from './failure.ts';
import { formatLimitExceeded } from './limits.ts';

type Decoder = (data: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>;

const inflateZlib: Decoder = promisify(inflate);
const inflateBare: Decoder = promisify(inflateRaw);

const DECODERS: Readonly<Record<string, Decoder>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: (data, options) => (hasZlibHeader(data) ? inflateZlib : inflateBare)(data, options),
  br: promisify(brotliDecompress),
};

/** What we ask for when a compressed body is wanted: what is cheap to make. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate';

/** `deflate` means zlib (RFC 9110, 8.4.1.2); some servers send the bare stream that its name says. */
function hasZlibHeader(data: Uint8Array): boolean {
  const [method = 0, flags = 0] = data;
  return (method & 15) === 8 && ((method << 8) | flags) % 31 === 0;
}

/** The body behind a content-encoding. Throws `FetchError` when it is unknown, wrong, or unpacks to more than `maxBytes` bytes. */
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
    const known = Object.keys(DECODERS).join(', ');
    // Whatever else a server may write there is not repeated: it might be what it was sent.
    const sent = /^[a-z-]{1,16}$/.test(name) ? JSON.stringify(name) : 'that is no name of one';
    throw new FetchError('encoding', `sent a content-encoding ${sent}; expected ${known}`);
  }
  try {
    return await decoder(encoded, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      const problem = `sent ${encoded.length} bytes of ${name} that unpack to more than ${maxBytes} bytes`;
      throw new FetchError('too_large', formatLimitExceeded(problem, 'decodedBytes', maxBytes));
    }
    throw new FetchError('encoding', `sent a ${name} body that cannot be decompressed`, error);
  }
}
