import { expect, test } from 'vitest';
import { RecordBuffer } from '../../src/journal/recordBuffer.ts';
import { makeRecord } from './support/journals.ts';

test.each([0, 1, 126, 127, 16_383, 50_000])('seals a record with %d bytes of content', size => {
  const buffer = new RecordBuffer();
  const out = buffer.begin(3);
  for (let index = 0; index < size; index++) out.writeByte(index & 0xff);
  const content = Array.from({ length: size }, (_, index) => index & 0xff);
  expect(Buffer.compare(buffer.seal(), makeRecord(3, ...content))).toBe(0);
});

test('discards an unsealed record when the next record begins', () => {
  const buffer = new RecordBuffer();
  buffer.begin(1).writeText('a long text of the first record');
  buffer.begin(2).writeByte(7);
  expect(buffer.seal()).toEqual(new Uint8Array(makeRecord(2, 7)));
});
