import { expect, test } from 'vitest';
import { noSuccess } from '../../src/profile/noSuccess.ts';

test.each([
  [0, 'no request was sent'],
  [1, 'the only request failed'],
  [3, 'all 3 requests failed'],
])('%d failed', (failed, said) => {
  expect(noSuccess(failed)).toBe(said);
});
