import type { Frame } from '@org/core';
import type { ByteReader } from './bytes.ts';
import { Damage } from './damage.ts';
import { readDouble } from './double.ts';
import { FLAG } from './format.ts';
import type { LastFrame } from './lastframe.ts';
import { SHORT_RUN, TOKEN } from './step.ts';

/**
 * Reads a frame and makes it the last one of its endpoint. Its values are a part of the last frame's, valid until the next.
 * Throws `Damage`, also for a frame of more values than there are slots.
 */
export function readFrame(reader: ByteReader, last: LastFrame, slotCount: number): Frame {
  const flags = reader.byte();
  if ((flags & FLAG.whole) !== 0) last.forget();
  else if (!last.isKnown) throw new Damage('a frame refers to one that is not there');
  const length = (flags & FLAG.length) !== 0 ? reader.varint() : last.length;
  if (length > slotCount) throw new Damage(`a frame has ${length} values for ${slotCount} slots`);
  const timestampNs = (flags & FLAG.time) !== 0 ? reader.int64() : last.timestampNs + BigInt(reader.zigzag());
  const latencyNs = (flags & FLAG.latency) !== 0 ? reader.double() : reader.zigzag();
  last.widen(length);
  last.shorten(length);
  readValues(reader, last.values, length);
  last.timestampNs = timestampNs;
  last.isKnown = true;
  return {
    timestampNs,
    latencyNs,
    changed: (flags & FLAG.changed) !== 0,
    values: last.values.subarray(0, length),
  };
}

function readValues(reader: ByteReader, values: Float64Array, length: number): void {
  let slot = 0;
  while (reader.left > 0) {
    const token = reader.byte();
    const end = slot + slotsOf(reader, token);
    if (end > length) throw new Damage('a frame has more values than it should');
    if (token >= TOKEN.bits) {
      if (token === TOKEN.absent) values.fill(Number.NaN, slot, end);
      else values[slot] = readDouble(reader, token, values[slot]!);
    } else if (token >= TOKEN.grown) {
      const move = token < TOKEN.moved ? ((token >> 4) & 3) + 1 : reader.zigzag();
      for (let at = slot; at < end; at++) values[at] = Number.isNaN(values[at]) ? move : values[at]! + move;
    }
    slot = end;
  }
}

/** How many slots a token is for. */
function slotsOf(reader: ByteReader, token: number): number {
  if (token >= TOKEN.bits) return token === TOKEN.absent ? reader.varint() + 1 : 1;
  if (token >= TOKEN.grown && token < TOKEN.moved) return (token & 15) + 1;
  const slots = (token & SHORT_RUN) + 1;
  return slots > SHORT_RUN ? slots + reader.varint() : slots;
}
