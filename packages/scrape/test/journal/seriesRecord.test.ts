import { Layout } from '@org/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteReader, ByteWriter } from '../../src/journal/byteStream.ts';
import { CorruptionError } from '../../src/journal/format.ts';
import { readSeries, SeriesWriter } from '../../src/journal/seriesRecord.ts';
import { anyGrowth, createLayout, describeSlots, grow } from './support/layouts.ts';

function copySlots(writer: SeriesWriter, from: number, into: Layout): number {
  const out = new ByteWriter();
  const slots = writer.write(out, from);
  readSeries(new ByteReader(out.bytes.slice(0, out.length)), into);
  return slots;
}

describe('series', () => {
  it('are read back with the same slots, however they are split into records', () => {
    fc.assert(
      fc.property(fc.array(fc.array(anyGrowth, { maxLength: 12 }), { maxLength: 5 }), portions => {
        const layout = new Layout();
        const writer = new SeriesWriter(layout);
        const copy = new Layout();
        let slots = 0;
        for (const portion of portions) {
          for (const growth of portion) grow(layout, growth);
          slots = copySlots(writer, slots, copy);
        }
        expect(describeSlots(copy)).toEqual(describeSlots(layout));
        expect(copy.series).toEqual(layout.series);
      }),
    );
  });

  it('may be written again from the start', () => {
    fc.assert(
      fc.property(fc.array(anyGrowth), fc.array(anyGrowth), (first, second) => {
        const layout = createLayout(first);
        const writer = new SeriesWriter(layout);
        const copy = new Layout();
        copySlots(writer, 0, copy);
        for (const growth of second) grow(layout, growth);
        copySlots(writer, 0, copy);
        expect(describeSlots(copy)).toEqual(describeSlots(layout));
      }),
    );
  });

  it('of a large layout are split into small records', () => {
    const layout = new Layout();
    const family = { name: 'g', type: 'gauge', help: 'h'.repeat(100) } as const;
    for (let i = 0; i < 30_000; i++) layout.scalar(family, [['id', String(i).padStart(80, '0')]]);
    const writer = new SeriesWriter(layout);
    const copy = new Layout();
    let slots = 0;
    let records = 0;
    while (slots < layout.slotCount) {
      slots = copySlots(writer, slots, copy);
      records++;
    }
    expect(records).toBe(3);
    expect(copy.series).toEqual(layout.series);
  });
});

describe('a corrupted series record', () => {
  const family = [0, 0, 2, 0x66, 0, 0]; // the gauges `f`, without help and unit
  const gauge = [1, 0, 0]; // of family 0, without labels
  const bucket = [4, 0, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f, 2, 0x31]; // of series 0, le 1

  it.each<[string, number[]]>([
    ['nothing', []],
    ['a slot out of order', [1]],
    ['a series of an unknown family', [0, ...gauge]],
    ['a family of an unknown type', [0, 0, 5, 2, 0x66, 0, 0]],
    ['a truncated family', [0, ...family.slice(0, 4)]],
    ['the same series twice', [0, ...family, ...gauge, ...gauge]],
    ['a histogram instead of a gauge', [0, ...family, ...gauge, 2, 0, 0]],
    ['a bucket of an unknown series', [0, ...bucket]],
    ['a bucket of a gauge', [0, ...family, ...gauge, ...bucket]],
    ['an entry of an unknown kind', [0, ...family, 6, 0, 0]],
    ['2^49 labels', [0, ...family, 1, 0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01]],
  ])('is rejected: %s', (_, bytes) => {
    expect(() => readSeries(new ByteReader(Uint8Array.from(bytes)), new Layout())).toThrow(CorruptionError);
  });
});
