import fc from 'fast-check';
import { expect, it } from 'vitest';
import { toTimestampsNs } from '../../src/view/timestamps.ts';

const MAX_OFFSET = 2 ** 52;

it('adds times to the origin exactly', () => {
  const offsets = fc.array(fc.maxSafeInteger().filter(offset => Math.abs(offset) < MAX_OFFSET));
  fc.assert(
    fc.property(offsets, fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n }), (times, originNs) => {
      expect([...toTimestampsNs(Float64Array.from(times), originNs)]).toEqual(
        times.map(time => originNs + BigInt(time)),
      );
    }),
    { numRuns: 50 },
  );
});
