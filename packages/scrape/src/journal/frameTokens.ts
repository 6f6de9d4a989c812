/**
 * The tokens that encode the values of a frame relative to the previous one, in the order of slots. Slots
 * after the last token are unchanged.
 *
 * One observation increments all higher cumulative buckets of a histogram by one: a single token. Most tokens
 * are one byte.
 */
export const TOKEN = {
  /** 0x00-0x3e: 1-63 unchanged slots. 0x3f: 64, plus the number in the varint that follows. */
  same: 0x00,
  /** 0x40-0x7f: integers that increased by 1-4 (two bits) in 1-16 slots (four bits). */
  grown: 0x40,
  /**
   * 0x80-0xbe: 1-63 integers that change by the zigzag varint that follows. 0xbf: 64 or more, as above. An
   * absent slot counts as 0.
   */
  moved: 0x80,
  /**
   * 0xc0 + 8 * trailing + count - 1: one double. `count` bytes follow: the XOR with the previous bits, above
   * `trailing` equal bytes. Writers always set `trailing` to 0; readers accept other values with trailing +
   * count up to 8. Unused codes follow:
   */
  bits: 0xc0,
  /** One absent slot, plus the number in the varint that follows. */
  absent: 0xf7,
  /**
   * 0xf9 + places - 1: one double that is a decimal with 1-7 places. The zigzag varint that follows is the
   * difference of the values without their decimal points.
   */
  decimal: 0xf9,
} as const;

/** The longest run that fits in the first byte of a token; if all 6 bits are set, a varint follows. */
export const MAX_SHORT_RUN = 63;

export const MAX_SHORT_INCREASE = 4;
export const MAX_SHORT_INCREASE_SLOTS = 16;
export const MAX_DECIMAL_PLACES = 7;

/** The powers of ten that turn a decimal into an integer, by its number of places. */
export const SCALES: readonly number[] = Array.from(
  { length: MAX_DECIMAL_PLACES + 1 },
  (_, places) => 10 ** places,
);

/** Returns the integer nearest to a scaled value; 0 for a value that is absent or too large. */
export function scaleToInteger(value: number, scale: number): number {
  const scaled = Math.round(value * scale);
  return Number.isSafeInteger(scaled) ? scaled : 0;
}
