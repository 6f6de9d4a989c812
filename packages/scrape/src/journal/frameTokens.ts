/**
 * The tokens that encode the values of a frame relative to the previous frame, in the order of slots. Slots
 * after the last token are unchanged.
 *
 * Most tokens take one byte. For example, an observation in a histogram increments its bucket and all higher
 * ones by one, because buckets are cumulative. This takes a single token.
 */
export const TOKEN = {
  /** 0x00-0x3e: 1 to 63 unchanged slots. 0x3f: 64 unchanged slots plus the number in the following varint. */
  same: 0x00,
  /** 0x40-0x7f: 1 to 16 integers (low four bits) that each increase by 1 to 4 (next two bits). */
  grown: 0x40,
  /**
   * 0x80-0xbe: 1 to 63 integers that each change by the following zigzag varint. 0xbf: 64 or more integers,
   * encoded as in 0x3f. An absent slot counts as 0.
   */
  moved: 0x80,
  /**
   * 0xc0 + 8 * trailing + count - 1: one double. `count` bytes follow, which are XORed with the previous
   * value, starting above the `trailing` lowest bytes. Writers always set `trailing` to 0; readers accept
   * other values if trailing + count <= 8. Other codes below 0xf7 are invalid.
   */
  bits: 0xc0,
  /** One absent slot plus the number in the following varint. */
  absent: 0xf7,
  /**
   * 0xf9 + places - 1: one decimal with 1 to 7 decimal places. The following zigzag varint is its difference
   * from the previous value, with both multiplied by 10^places.
   */
  decimal: 0xf9,
} as const;

/** Maximum number of slots that the low 6 bits of a token can encode. For more, a varint follows. */
export const MAX_SHORT_RUN = 63;

export const MAX_SHORT_INCREASE = 4;
export const MAX_SHORT_INCREASE_SLOTS = 16;
export const MAX_DECIMAL_PLACES = 7;

/** The powers of ten, by number of decimal places. */
export const SCALES: readonly number[] = Array.from(
  { length: MAX_DECIMAL_PLACES + 1 },
  (_, places) => 10 ** places,
);

/** Returns the integer nearest to `value * scale`; 0 if the value is absent (NaN) or too large. */
export function scaleToInteger(value: number, scale: number): number {
  const scaled = Math.round(value * scale);
  return Number.isSafeInteger(scaled) ? scaled : 0;
}
