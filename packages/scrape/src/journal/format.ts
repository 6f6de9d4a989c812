/** The bytes of a journal are described in docs/journal-format.md; here are their constants. */

/** How a journal begins: a byte that is no text, `SLJ`, and line ends that a transfer as text would change. */
export const MAGIC: Uint8Array = Uint8Array.of(0x89, 0x53, 0x4c, 0x4a, 0x0d, 0x0a, 0x1a, 0x0a);

/** Follows the magic. Readers refuse a version that is not theirs. */
export const VERSION = 1;

export const HEADER_BYTES: number = MAGIC.length + 1;

/** The first byte of a record's payload. Readers pass over kinds that they do not know. */
export const KIND = { run: 1, endpoint: 2, series: 3, frame: 4, mark: 5, health: 6, gap: 7, end: 8 } as const;

/** What a payload may have, in bytes: more than any body that is scraped can lead to. */
export const MAX_PAYLOAD_BYTES: number = 2 ** 30;

/** What the flags byte of a frame says. */
export const FLAG = {
  /** The body was not, byte for byte, the previous one. */
  changed: 1,
  /** The frame stands on its own: every slot was absent before. */
  whole: 2,
  /** Its length follows; without it, the length is that of the frame before. */
  length: 4,
  /** Its time is given in full. */
  time: 8,
  /** Its latency is given as a double. */
  latency: 16,
} as const;
