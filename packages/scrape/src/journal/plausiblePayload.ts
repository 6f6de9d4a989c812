import { ByteReader } from './byteStream.ts';
import { CorruptionError, hasFrameNumbers, KIND } from './format.ts';

/** Number of bytes at the start of a payload that `isPlausiblePayload` needs. */
export const PLAUSIBLE_BYTES = 32;

/** Exclusive upper bound of the flags of a frame. */
const FLAGS_LIMIT = 32;
/** Exclusive upper bound of the kinds of entries in a series record. */
const ENTRY_LIMIT = 6;

/**
 * Reports whether bytes may be the start of a payload of `size` bytes. Rejects almost all arbitrary bytes, so that
 * a search for the next record computes few checksums.
 */
export function isPlausiblePayload(bytes: Uint8Array, size: number, version: number): boolean {
  try {
    return new PlausiblePayload(new ByteReader(bytes), size).check(version);
  } catch (error) {
    if (error instanceof CorruptionError) return false;
    throw error;
  }
}

class PlausiblePayload {
  readonly #reader: ByteReader;
  readonly #size: number;

  constructor(reader: ByteReader, size: number) {
    this.#reader = reader;
    this.#size = size;
  }

  check(version: number): boolean {
    const reader = this.#reader;
    switch (reader.readByte()) {
      case KIND.run:
      case KIND.mark:
        return this.#endsWithText();
      case KIND.endpoint:
      case KIND.health:
        reader.readVarint();
        return this.#endsWithText();
      case KIND.series:
        reader.readVarint();
        reader.readVarint();
        return reader.at === this.#size || reader.readByte() < ENTRY_LIMIT;
      case KIND.frame:
        reader.readVarint();
        if (hasFrameNumbers(version)) reader.readByte();
        return reader.readByte() < FLAGS_LIMIT;
      case KIND.gap:
        reader.readVarint();
        return reader.at === this.#size;
      case KIND.end:
        return this.#size === 1;
      default:
        return false;
    }
  }

  /** Reports whether the rest of the payload is one text. */
  #endsWithText(): boolean {
    const length = Math.floor(this.#reader.readVarint() / 2);
    return this.#reader.at + length === this.#size;
  }
}
