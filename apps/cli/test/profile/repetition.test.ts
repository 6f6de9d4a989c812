import { expect, test } from 'vitest';
import { readRepetition } from '../../src/profile/repetition.ts';

test('returns one run by default', () => {
  expect(readRepetition({}, false)).toEqual({
    runs: 1,
    cooldownSeconds: 0,
    confidenceLevel: 0.95,
    mode: 'repeated',
    seed: undefined,
    sameSeed: false,
    varySeed: false,
    warmsUpOnce: true,
  });
});

test('reads the options', () => {
  const raw = {
    'num-profile-runs': '5',
    'profile-run-cooldown-seconds': 2.5,
    'confidence-level': '0.99',
    'parameter-sweep-mode': 'independent',
    'random-seed': 3,
  };
  expect(readRepetition(raw, true)).toMatchObject({
    runs: 5,
    cooldownSeconds: 2.5,
    confidenceLevel: 0.99,
    mode: 'independent',
    seed: 3,
  });
});

test.each([
  [{ 'num-profile-runs': 11 }, 'invalid --num-profile-runs 11: expected an integer from 1 to 10'],
  [{ 'num-profile-runs': 0 }, 'invalid --num-profile-runs 0'],
  [
    { 'num-profile-runs': 2, 'confidence-level': 95 },
    'invalid --confidence-level 95: expected a number between 0 and 1, such as 0.95',
  ],
  [{ 'num-profile-runs': 2, 'confidence-level': 1 }, 'invalid --confidence-level 1: '],
  [
    { 'num-profile-runs': 2, 'profile-run-cooldown-seconds': -1 },
    'invalid --profile-run-cooldown-seconds -1',
  ],
  [
    { 'profile-run-cooldown-seconds': 1 },
    '--profile-run-cooldown-seconds requires --num-profile-runs of at least 2',
  ],
])('rejects %j', (raw, message) => {
  expect(() => readRepetition(raw, false)).toThrow(message);
});
