/** The constants and errors of the journal format, which docs/journal-format.md describes. */

/**
 * The first bytes of a journal: a non-text byte, `SLJ`, and line endings that a text-mode transfer would
 * change.
 */
export const MAGIC: Uint8Array = Uint8Array.of(0x89, 0x53, 0x4c, 0x4a, 0x0d, 0x0a, 0x1a, 0x0a);

/** The version of the format that is written. It is the byte after the magic bytes. */
export const VERSION = 2;

/**
 * The start values of the checksums, by version. Each version has another value, so that a damaged version byte is
 * detected. Readers reject versions that are not listed.
 */
export const SEEDS: Readonly<Record<number, number>> = { 1: 0, 2: 2 };

/** Reports whether frames have numbers. */
export function hasFrameNumbers(version: number): boolean {
  return version >= 2;
}

/** The number of a frame is its position among the frames of its endpoint, modulo this value. */
export const FRAME_NUMBERS = 256;

export const HEADER_BYTES: number = MAGIC.length + 1;

/** The kinds of records: the first byte of a payload. Readers skip unknown kinds. */
export const KIND = { run: 1, endpoint: 2, series: 3, frame: 4, mark: 5, health: 6, gap: 7, end: 8 } as const;

/** Maximum size of a payload, in bytes. Actual records are much smaller. */
export const MAX_PAYLOAD_BYTES: number = 2 ** 30;

/** The bits of a frame's flags byte. */
export const FLAG = {
  /** The body differs from the previous one. */
  changed: 1,
  /** The frame is self-contained: it is encoded as if all slots of the previous frame were absent. */
  selfContained: 2,
  /** The number of values follows; otherwise it is the same as in the previous frame. */
  valueCount: 4,
  /** The timestamp is absolute; otherwise it is relative to the previous frame. */
  absoluteTime: 8,
  /** The latency is a double; otherwise it is a zigzag varint. */
  doubleLatency: 16,
} as const;

/** Error thrown if a file is not a journal or has an unsupported version. */
export class JournalError extends Error {
  override readonly name: string = 'JournalError';
}

/**
 * Error thrown internally for bytes that no writer produces. Readers skip the record and report the error in
 * `JournalTail`; callers never receive it.
 */
export class CorruptionError extends Error {
  override readonly name: string = 'CorruptionError';
}
