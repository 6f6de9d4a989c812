import type { Frame } from '@org/core';
import type { ByteReader } from './byteStream.ts';
import { CorruptionError, FLAG, FRAME_NUMBERS, hasFrameNumbers } from './format.ts';
import { readFrame } from './frameReader.ts';
import { PreviousFrame } from './previousFrame.ts';

/** Minimum size of the record of a frame, in bytes. */
const MIN_RECORD_BYTES = 11;

/**
 * Reads the frames of one endpoint. Most frames are encoded as the difference from the previous frame, so that a
 * missing frame makes later frames unusable, up to the next self-contained frame.
 */
export class FrameChain {
  readonly #previous = new PreviousFrame();
  readonly #hasNumbers: boolean;
  /** The number that the next frame has, unless frames are missing. */
  #nextNumber = 0;
  #lastNs: bigint | undefined;
  /** True if frames may be missing that were counted when they could not be written. */
  #isRewound = false;
  /** True if so many frames may be missing that the number of the next frame does not prove that none is. */
  #isNumberAmbiguous = false;
  #missingFrames = 0;

  constructor(version: number) {
    this.#hasNumbers = hasFrameNumbers(version);
  }

  /** Minimum number of frames directly before the last frame that are missing from the file. */
  get missingFrames(): number {
    return this.#missingFrames;
  }

  /**
   * Handles unreadable data, which may have contained frames of this endpoint. The next frame is then unusable,
   * unless it is self-contained or its number proves that no frame is missing. `bytes` is the size of the data.
   */
  break(bytes: number): void {
    if (this.#hasNumbers && bytes < (FRAME_NUMBERS / 2) * MIN_RECORD_BYTES) return;
    this.#isNumberAmbiguous = true;
    this.#previous.reset();
  }

  /**
   * Handles a repeated record of the endpoint. The writer repeats it after the file may have lost frames, which it has
   * counted.
   */
  rewind(): void {
    this.#isRewound = true;
  }

  /**
   * Reads a frame. Returns undefined for a repetition of an earlier frame. Throws `CorruptionError` if the frame is
   * unusable: it is invalid, refers to a missing frame, or has more values than `slotCount`.
   */
  read(reader: ByteReader, slotCount: number): Frame | undefined {
    this.#missingFrames = 0;
    const number = this.#hasNumbers ? reader.readByte() : undefined;
    if (number !== undefined && this.#isRepeated(number, reader)) return undefined;
    if (number !== undefined && number !== this.#nextNumber) {
      const distance = getDistance(this.#nextNumber, number);
      if (!this.#isRewound && distance < FRAME_NUMBERS / 2) this.#missingFrames = distance;
      this.#previous.reset();
    }
    this.#isRewound = false;
    this.#isNumberAmbiguous = false;
    if (number !== undefined) this.#nextNumber = (number + 1) % FRAME_NUMBERS;
    try {
      const frame = readFrame(reader, this.#previous, slotCount);
      this.#lastNs = frame.timestampNs;
      return frame;
    } catch (error) {
      if (error instanceof CorruptionError) this.#previous.reset();
      throw error;
    }
  }

  /**
   * Reports whether a frame repeats an earlier frame, for example because a block of the file was written twice: its
   * number has been used, and its time, if it is known, has passed.
   */
  #isRepeated(number: number, reader: ByteReader): boolean {
    if (number === this.#nextNumber && !this.#isNumberAmbiguous) return false;
    const timeNs = readOwnTime(reader);
    if (timeNs !== undefined) return this.#lastNs !== undefined && timeNs <= this.#lastNs;
    return !this.#isNumberAmbiguous && getDistance(this.#nextNumber, number) >= FRAME_NUMBERS / 2;
  }
}

/** Returns how many numbers are between an expected number and an actual number, which may be lower. */
function getDistance(expected: number, actual: number): number {
  return (actual - expected + FRAME_NUMBERS) % FRAME_NUMBERS;
}

/** Reads the time of a self-contained frame without advancing; undefined for other frames. */
function readOwnTime(reader: ByteReader): bigint | undefined {
  const start = reader.at;
  const flags = reader.readByte();
  const isOwn = (flags & FLAG.selfContained) !== 0 && (flags & FLAG.absoluteTime) !== 0;
  if (isOwn && (flags & FLAG.valueCount) !== 0) reader.readVarint();
  const timeNs = isOwn ? reader.readInt64() : undefined;
  reader.at = start;
  return timeNs;
}
