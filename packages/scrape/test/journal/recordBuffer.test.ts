import { expect, test } from 'vitest';
import { RecordBuffer } from '../../src/journal/recordBuffer.ts';
import { makeRecord } from './support/journals.ts';

test.each([0, 1, 126, 127, 16_383, 50_000])('seals a record with %d bytes of content', size => {
  const buffer = new RecordBuffer();
  const out = buffer.begin(3);
  for (let at = 0; at < size; at++) out.byte(at & 0xff);
  const content = Array.from({ length: size }, (_, at) => at & 0xff);
  expect(Buffer.compare(buffer.seal(), makeRecord(3, ...content))).toBe(0);
});

test('does not mix records', () => {
  const buffer = new RecordBuffer();
  buffer.begin(1).text('a long text of the first record');
  buffer.begin(2).byte(7);
  expect(buffer.seal()).toEqual(new Uint8Array(makeRecord(2, 7)));
});
