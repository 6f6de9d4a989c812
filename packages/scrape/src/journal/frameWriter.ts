import type { Frame } from '@org/core';
import { type ByteWriter, ZIGZAG_LIMIT } from './byteStream.ts';
import { writeDouble } from './doubleCodec.ts';
import { FLAG } from './format.ts';
import { MAX_SHORT_INCREASE, MAX_SHORT_INCREASE_SLOTS, MAX_SHORT_RUN, TOKEN } from './frameTokens.ts';
import type { PreviousFrame } from './previousFrame.ts';

/**
 * Writes a frame as its difference from the previous one, without changing the latter. Throws a RangeError
 * for a timestamp beyond 64 bits.
 */
export function writeFrame(out: ByteWriter, frame: Frame, previous: PreviousFrame): void {
  const { timestampNs, latencyNs, values } = frame;
  const elapsed = previous.isKnown ? Number(timestampNs - previous.timestampNs) : Number.NaN;
  const hasShortTime = Math.abs(elapsed) < ZIGZAG_LIMIT;
  const hasIntegerLatency = fitsZigzag(latencyNs);
  const hasLength = values.length !== previous.length;
  out.byte(
    (frame.changed ? FLAG.changed : 0) |
      (previous.isKnown ? 0 : FLAG.whole) |
      (hasLength ? FLAG.length : 0) |
      (hasShortTime ? 0 : FLAG.time) |
      (hasIntegerLatency ? 0 : FLAG.latency),
  );
  if (hasLength) out.varint(values.length);
  if (hasShortTime) out.zigzag(elapsed);
  else out.int64(timestampNs);
  if (hasIntegerLatency) out.zigzag(latencyNs);
  else out.double(latencyNs);
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
    let next = slot + 1;
    if (!Number.isNaN(increment)) {
      while (next < end && computeIncrement(values[next]!, previous[next]!) === increment) next++;
      writeIncrement(out, increment, next - slot);
    } else if (Number.isNaN(value)) {
      while (next < end && Number.isNaN(values[next]) && !Number.isNaN(previous[next])) next++;
      out.byte(TOKEN.absent);
      out.varint(next - slot - 1);
    } else {
      writeDouble(out, value, previousValue);
    }
    slot = writtenSlots = next;
  }
}

/**
 * Reports whether two values are bitwise equal, so that 0 differs from -0; all NaN values (absent) are equal.
 */
function isSame(value: number, previousValue: number): boolean {
  if (value === previousValue) return value !== 0 || Object.is(value, previousValue);
  return Number.isNaN(value) && Number.isNaN(previousValue);
}

/** Returns the increment from the previous integer (0 if absent); NaN if it is inexact, too large or zero. */
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

function writeIncrement(out: ByteWriter, increment: number, slots: number): void {
  if (increment >= 1 && increment <= MAX_SHORT_INCREASE && slots <= MAX_SHORT_INCREASE_SLOTS) {
    out.byte(TOKEN.grown | ((increment - 1) << 4) | (slots - 1));
    return;
  }
  writeRun(out, TOKEN.moved, slots);
  out.zigzag(increment);
}

function writeRun(out: ByteWriter, token: number, slots: number): void {
  if (slots <= MAX_SHORT_RUN) {
    out.byte(token | (slots - 1));
    return;
  }
  out.byte(token | MAX_SHORT_RUN);
  out.varint(slots - MAX_SHORT_RUN - 1);
}
