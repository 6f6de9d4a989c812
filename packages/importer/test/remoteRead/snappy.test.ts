import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeSnappy, encodeSnappy } from '../../src/remoteRead/snappy.ts';

it('decodes what it encodes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), bytes => {
      expect([...decodeSnappy(encodeSnappy(bytes), 1000)]).toEqual([...bytes]);
    }),
  );
});
