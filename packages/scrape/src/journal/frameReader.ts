import type { Frame } from '@org/core';
import type { ByteReader } from './byteStream.ts';
import { readDouble } from './doubleCodec.ts';
import { CorruptionError, FLAG } from './format.ts';
import { MAX_SHORT_RUN, TOKEN } from './frameTokens.ts';
import type { PreviousFrame } from './previousFrame.ts';

/**
 * Reads a frame and stores it in `previous`. The values of the returned frame are a view of `previous` and
 * valid until the next frame is read. Throws `CorruptionError` if the frame is invalid or has more values
 * than `slotCount`.
 */
export function readFrame(reader: ByteReader, previous: PreviousFrame, slotCount: number): Frame {
  const flags = reader.readByte();
  if ((flags & FLAG.selfContained) !== 0) previous.reset();
  else if (!previous.isKnown) throw new CorruptionError('a frame refers to a missing previous frame');
  const length = (flags & FLAG.valueCount) !== 0 ? reader.readVarint() : previous.length;
  if (length > slotCount) throw new CorruptionError(`a frame has ${length} values for ${slotCount} slots`);
  const timestampNs =
    (flags & FLAG.absoluteTime) !== 0
      ? reader.readInt64()
      : previous.timestampNs + BigInt(reader.readZigzag());
  const latencyNs = (flags & FLAG.doubleLatency) !== 0 ? reader.readDouble() : reader.readZigzag();
  previous.widen(length);
  previous.shorten(length);
  readValues(reader, previous.values, length);
  previous.timestampNs = timestampNs;
  previous.isKnown = true;
  return {
    timestampNs,
    latencyNs,
    changed: (flags & FLAG.changed) !== 0,
    values: previous.values.subarray(0, length),
  };
}

/** Applies the tokens of a frame to the previous values. */
function readValues(reader: ByteReader, values: Float64Array, length: number): void {
  let slot = 0;
  while (reader.remainingBytes > 0) {
    const token = reader.readByte();
    const end = slot + readSlotCount(reader, token);
    if (end > length) throw new CorruptionError('a frame has too many values');
    if (token >= TOKEN.bits) {
      if (token === TOKEN.absent) values.fill(Number.NaN, slot, end);
      else values[slot] = readDouble(reader, token, values[slot]!);
    } else if (token >= TOKEN.grown) {
      const increment = token < TOKEN.moved ? ((token >> 4) & 3) + 1 : reader.readZigzag();
      for (let changedSlot = slot; changedSlot < end; changedSlot++)
        values[changedSlot] = Number.isNaN(values[changedSlot])
          ? increment
          : values[changedSlot]! + increment;
    }
    slot = end;
  }
}

/** Returns the number of slots that a token covers. */
function readSlotCount(reader: ByteReader, token: number): number {
  if (token >= TOKEN.bits) return token === TOKEN.absent ? reader.readVarint() + 1 : 1;
  if (token >= TOKEN.grown && token < TOKEN.moved) return (token & 15) + 1;
  const slots = (token & MAX_SHORT_RUN) + 1;
  return slots > MAX_SHORT_RUN ? slots + reader.readVarint() : slots;
}
