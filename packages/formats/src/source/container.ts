import { EncodingError, UnreadableError } from './source.ts';

/** First bytes of compressed files, by name of the format. */
const COMPRESSED: Readonly<Record<string, readonly number[]>> = {
  // gzip inside gzip
  gzip: [0x1f, 0x8b],
  zip: [0x50, 0x4b, 0x03, 0x04],
  zstd: [0x28, 0xb5, 0x2f, 0xfd],
  xz: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00],
  bzip2: [0x42, 0x5a, 0x68],
};

/**
 * Checks that the first bytes of a file are not those of a compressed file or of UTF-16 text.
 *
 * @throws UnreadableError for a compressed file, EncodingError for UTF-16
 */
export function checkContainer(head: Uint8Array): void {
  for (const [format, signature] of Object.entries(COMPRESSED))
    if (signature.every((byte, index) => head[index] === byte))
      throw new UnreadableError(`cannot read ${format} data; decompress it first`);
  const variant = detectUtf16(head);
  if (variant)
    throw new EncodingError(
      `it is ${variant}; expected UTF-8; convert it, for example with iconv -f ${variant} -t UTF-8`,
    );
}

/** Detects UTF-16 by its byte order mark or, because JSON and CSV start with ASCII characters, by the first two. */
function detectUtf16([a, b, c, d]: Uint8Array): 'UTF-16LE' | 'UTF-16BE' | undefined {
  if ((a === 0xff && b === 0xfe) || (a && b === 0 && c && d === 0)) return 'UTF-16LE';
  if ((a === 0xfe && b === 0xff) || (a === 0 && b && c === 0 && d)) return 'UTF-16BE';
  return undefined;
}
