import type { Frame } from '@org/core';
import { type ByteWriter, ZIGZAG_LIMIT } from './bytes.ts';
import { writeDouble } from './double.ts';
import { FLAG } from './format.ts';
import type { LastFrame } from './lastframe.ts';
import { MOST_GROWN, MOST_GROWTH, SHORT_RUN, TOKEN } from './step.ts';

/** Writes a frame as its difference to the one before, which it does not change. Throws a RangeError for a time beyond 64 bits. */
export function writeFrame(out: ByteWriter, frame: Frame, before: LastFrame): void {
  const { timestampNs, latencyNs, values } = frame;
  const elapsed = before.isKnown ? Number(timestampNs - before.timestampNs) : Number.NaN;
  const isNear = Math.abs(elapsed) < ZIGZAG_LIMIT;
  const isWhole = fitsZigzag(latencyNs);
  const hasLength = values.length !== before.length;
  out.byte(
    (frame.changed ? FLAG.changed : 0) |
      (before.isKnown ? 0 : FLAG.whole) |
      (hasLength ? FLAG.length : 0) |
      (isNear ? 0 : FLAG.time) |
      (isWhole ? 0 : FLAG.latency),
  );
  if (hasLength) out.varint(values.length);
  if (isNear) out.zigzag(elapsed);
  else out.int64(timestampNs);
  if (isWhole) out.zigzag(latencyNs);
  else out.double(latencyNs);
  before.widen(values.length);
  writeValues(out, values, before.values);
}

function writeValues(out: ByteWriter, values: Float64Array, before: Float64Array): void {
  const end = values.length;
  let told = 0;
  for (let slot = 0; slot < end; ) {
    const value = values[slot]!;
    const old = before[slot]!;
    if (isSame(value, old)) {
      slot++;
      continue;
    }
    if (told < slot) writeRun(out, TOKEN.same, slot - told);
    const move = moveOf(value, old);
    let next = slot + 1;
    if (!Number.isNaN(move)) {
      while (next < end && moveOf(values[next]!, before[next]!) === move) next++;
      writeMove(out, move, next - slot);
    } else if (Number.isNaN(value)) {
      while (next < end && Number.isNaN(values[next]) && !Number.isNaN(before[next])) next++;
      out.byte(TOKEN.absent);
      out.varint(next - slot - 1);
    } else {
      writeDouble(out, value, old);
    }
    slot = told = next;
  }
}

/** Equal bit by bit: 0 is not -0, but an absent value is like another. */
function isSame(value: number, old: number): boolean {
  if (value === old) return value !== 0 || Object.is(value, old);
  return Number.isNaN(value) && Number.isNaN(old);
}

/** What is added to an integer (to 0, where none was) to make it another; NaN where that is not exact, or no change. */
function moveOf(value: number, old: number): number {
  const base = Number.isNaN(old) ? 0 : old;
  const move = value - base;
  if (!Number.isSafeInteger(value) || !Number.isSafeInteger(base)) return Number.NaN;
  if (Math.abs(move) >= ZIGZAG_LIMIT || isSame(value, old) || Object.is(value, -0)) return Number.NaN;
  return move;
}

function fitsZigzag(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) < ZIGZAG_LIMIT && !Object.is(value, -0);
}

function writeMove(out: ByteWriter, move: number, slots: number): void {
  if (move >= 1 && move <= MOST_GROWTH && slots <= MOST_GROWN) {
    out.byte(TOKEN.grown | ((move - 1) << 4) | (slots - 1));
    return;
  }
  writeRun(out, TOKEN.moved, slots);
  out.zigzag(move);
}

function writeRun(out: ByteWriter, token: number, slots: number): void {
  if (slots <= SHORT_RUN) {
    out.byte(token | (slots - 1));
    return;
  }
  out.byte(token | SHORT_RUN);
  out.varint(slots - SHORT_RUN - 1);
}
