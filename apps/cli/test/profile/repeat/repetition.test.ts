import { expect, test } from 'vitest';
import { readRepetition } from '../../../src/profile/repeat/repetition.ts';

test('is one run without options', () => {
  expect(readRepetition({}, false)).toEqual({
    runs: 1,
    cooldownSeconds: 0,
    confidenceLevel: 0.95,
    mode: 'repeated',
    seed: undefined,
    sameSeed: false,
    varySeed: false,
  });
});

test('takes what the options say', () => {
  const raw = {
    'num-profile-runs': '5',
    'profile-run-cooldown-seconds': 2.5,
    'confidence-level': '0.99',
    'parameter-sweep-mode': 'independent',
    'random-seed': 3,
  };
  expect(readRepetition(raw, true)).toMatchObject({
    ...{ runs: 5, cooldownSeconds: 2.5, confidenceLevel: 0.99, mode: 'independent', seed: 3 },
  });
});

test.each([
  [{ 'num-profile-runs': 11 }, '--num-profile-runs is 11; expected a whole number from 1 to 10'],
  [{ 'num-profile-runs': 0 }, '--num-profile-runs is 0'],
  [
    { 'num-profile-runs': 2, 'confidence-level': 95 },
    '--confidence-level is 95; expected a number between 0 and 1, such as 0.95',
  ],
  [{ 'num-profile-runs': 2, 'confidence-level': 1 }, '--confidence-level is 1; '],
  [{ 'num-profile-runs': 2, 'profile-run-cooldown-seconds': -1 }, '--profile-run-cooldown-seconds is -1'],
  [{ 'confidence-level': 0.9 }, '--confidence-level needs --num-profile-runs of 2 or more'],
  [{ 'profile-run-cooldown-seconds': 1 }, '--profile-run-cooldown-seconds needs --num-profile-runs of 2'],
  [{ 'vary-seed-per-trial': true }, '--vary-seed-per-trial needs --num-profile-runs of 2'],
  [{ 'parameter-sweep-mode': 'repeated' }, '--parameter-sweep-mode needs a list to go through'],
])('%j is refused', (raw, message) => {
  expect(() => readRepetition(raw, false)).toThrow(message);
});
