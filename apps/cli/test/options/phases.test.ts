import { expect, test } from 'vitest';
import { readSettleSeconds } from '../../src/options/phases.ts';

test.each([
  [{}, undefined],
  [{ settle: '' }, 10],
  [{ settle: true }, 10],
  [{ settle: '2.5' }, 2.5],
])('reads --settle from %j', (raw, seconds) => {
  expect(readSettleSeconds(raw)).toBe(seconds);
});

test.each(['0', '-1', 'soon'])('rejects --settle %s', settle => {
  expect(() => readSettleSeconds({ settle })).toThrow(
    `invalid --settle "${settle}": expected a number of seconds, at least 0.001`,
  );
});
