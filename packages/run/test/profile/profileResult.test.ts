import { expect, test } from 'vitest';
import { describeNoSuccess } from '../../src/profile/profileResult.ts';

test.each([
  [0, 'no request was sent'],
  [1, 'the only request failed'],
  [3, 'all 3 requests failed'],
])('describes a run with %d failed requests', (failed, description) => {
  expect(describeNoSuccess(failed)).toBe(description);
});
