/**
 * The tokens that carry an endpoint's values from one frame to the next. They follow each other in the order of slots; the
 * slots behind the last token are as they were.
 *
 * One observation makes a histogram's higher cumulative buckets grow by one, all of them: one token. Most tokens are
 * one byte.
 */
export const TOKEN = {
  /** 0x00-0x3e: 1-63 slots as before. 0x3f: 64 of them, and as many more as a varint says. */
  same: 0x00,
  /** 0x40-0x7f: integers that grew by 1-4 (two bits) in 1-16 slots (four bits). */
  grown: 0x40,
  /** 0x80-0xbe: 1-63 integers that a zigzag varint is added to. 0xbf: as above. A slot that was absent was 0. */
  moved: 0x80,
  /**
   * 0xc0 + 8 * trailing + count - 1: one double. Its bits differ from those before by `count` bytes, which follow, above
   * `trailing` bytes that do not differ. (8 - trailing) bytes is the most, so there are codes to spare:
   */
  bits: 0xc0,
  /** One slot, and as many more as a varint says, are absent. */
  absent: 0xf7,
  /** 0xf9 + places - 1: one double that is a decimal of 1-7 places; without its point, a zigzag varint is added to it. */
  decimal: 0xf9,
} as const;

/** The longest run that the first byte of a token holds; with 6 bits set to one, a varint says how many more there are. */
export const MAX_SHORT_RUN = 63;

export const MAX_SHORT_INCREASE = 4;
export const MAX_SHORT_INCREASE_SLOTS = 16;
export const MAX_DECIMAL_PLACES = 7;

/** By places after the point: what makes a decimal an integer. */
export const SCALES: readonly number[] = Array.from(
  { length: MAX_DECIMAL_PLACES + 1 },
  (_, places) => 10 ** places,
);

/** The integer nearest to a scaled value; 0 for a value that is absent or too large for that. */
export function scaleToInteger(value: number, scale: number): number {
  const scaled = Math.round(value * scale);
  return Number.isSafeInteger(scaled) ? scaled : 0;
}
