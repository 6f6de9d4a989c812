import type { Frame } from '@org/core';
import { type ByteWriter, ZIGZAG_LIMIT } from './byteStream.ts';
import { writeDouble } from './doubleCodec.ts';
import { FLAG } from './format.ts';
import { MAX_SHORT_INCREASE, MAX_SHORT_INCREASE_SLOTS, MAX_SHORT_RUN, TOKEN } from './frameTokens.ts';
import type { PreviousFrame } from './previousFrame.ts';

/**
 * Writes a frame as the difference from the previous frame. The contents of `previous` stay unchanged. Throws
 * a RangeError if the timestamp exceeds 64 bits.
 */
export function writeFrame(out: ByteWriter, frame: Frame, previous: PreviousFrame): void {
  const { timestampNs, latencyNs, values } = frame;
  const elapsedNs = previous.isKnown ? Number(timestampNs - previous.timestampNs) : Number.NaN;
  const hasShortTime = Math.abs(elapsedNs) < ZIGZAG_LIMIT;
  const hasIntegerLatency = fitsZigzag(latencyNs);
  const hasLength = values.length !== previous.length;
  out.writeByte(
    (frame.changed ? FLAG.changed : 0) |
      (previous.isKnown ? 0 : FLAG.selfContained) |
      (hasLength ? FLAG.valueCount : 0) |
      (hasShortTime ? 0 : FLAG.absoluteTime) |
      (hasIntegerLatency ? 0 : FLAG.doubleLatency),
  );
  if (hasLength) out.writeVarint(values.length);
  if (hasShortTime) out.writeZigzag(elapsedNs);
  else out.writeInt64(timestampNs);
  if (hasIntegerLatency) out.writeZigzag(latencyNs);
  else out.writeDouble(latencyNs);
  previous.widen(values.length);
  writeValues(out, values, previous.values);
}

function writeValues(out: ByteWriter, values: Float64Array, previous: Float64Array): void {
  const end = values.length;
  let writtenSlots = 0;
  for (let slot = 0; slot < end; ) {
    const value = values[slot]!;
    const previousValue = previous[slot]!;
    if (isSame(value, previousValue)) {
      slot++;
      continue;
    }
    if (writtenSlots < slot) writeRun(out, TOKEN.same, slot - writtenSlots);
    const increment = computeIncrement(value, previousValue);
    let runEnd = slot + 1;
    if (!Number.isNaN(increment)) {
      while (runEnd < end && computeIncrement(values[runEnd]!, previous[runEnd]!) === increment) runEnd++;
      writeIncrement(out, increment, runEnd - slot);
    } else if (Number.isNaN(value)) {
      while (runEnd < end && Number.isNaN(values[runEnd]) && !Number.isNaN(previous[runEnd])) runEnd++;
      out.writeByte(TOKEN.absent);
      out.writeVarint(runEnd - slot - 1);
    } else {
      writeDouble(out, value, previousValue);
    }
    slot = writtenSlots = runEnd;
  }
}

/**
 * Reports whether two values are identical. Unlike with `===`, 0 differs from -0, and NaN (absent) equals
 * NaN.
 */
function isSame(value: number, previousValue: number): boolean {
  if (value === previousValue) return value !== 0 || Object.is(value, previousValue);
  return Number.isNaN(value) && Number.isNaN(previousValue);
}

/**
 * Returns the increment from the previous integer, which is 0 if absent; NaN if no increment token is
 * possible.
 */
function computeIncrement(value: number, previousValue: number): number {
  const base = Number.isNaN(previousValue) ? 0 : previousValue;
  const increment = value - base;
  if (!Number.isSafeInteger(value) || !Number.isSafeInteger(base)) return Number.NaN;
  if (Math.abs(increment) >= ZIGZAG_LIMIT || isSame(value, previousValue) || Object.is(value, -0))
    return Number.NaN;
  return increment;
}

function fitsZigzag(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) < ZIGZAG_LIMIT && !Object.is(value, -0);
}

/** Writes an increment that applies to a run of slots. */
function writeIncrement(out: ByteWriter, increment: number, slots: number): void {
  if (increment >= 1 && increment <= MAX_SHORT_INCREASE && slots <= MAX_SHORT_INCREASE_SLOTS) {
    out.writeByte(TOKEN.grown | ((increment - 1) << 4) | (slots - 1));
    return;
  }
  writeRun(out, TOKEN.moved, slots);
  out.writeZigzag(increment);
}

/** Writes a token with a number of slots. */
function writeRun(out: ByteWriter, token: number, slots: number): void {
  if (slots <= MAX_SHORT_RUN) {
    out.writeByte(token | (slots - 1));
    return;
  }
  out.writeByte(token | MAX_SHORT_RUN);
  out.writeVarint(slots - MAX_SHORT_RUN - 1);
}
