import { expect, test } from 'vitest';
import { ByteSink } from '../../src/parquet/bytes.ts';

test.each([
  [0, [0]],
  [127, [0x7f]],
  [128, [0x80, 0x01]],
  [300, [0xac, 0x02]],
  [2 ** 32 - 1, [0xff, 0xff, 0xff, 0xff, 0x0f]],
])('encodes %i as a varint', (value, bytes) => {
  const sink = new ByteSink(1);
  sink.writeVarint(value);
  expect([...sink.view()]).toEqual(bytes);
});

test('grows, patches a length, and is empty after clear', () => {
  const sink = new ByteSink(2);
  sink.writeLittleEndian(0, 4);
  sink.append(Uint8Array.of(1, 2, 3));
  sink.writeByte(255);
  sink.patchLength(0, 0x01020304);
  expect([...sink.view()]).toEqual([4, 3, 2, 1, 1, 2, 3, 255]);
  sink.clear();
  expect(sink.view()).toHaveLength(0);
});
