import { expect, test } from 'vitest';
import { checkBooleanFlags } from '../src/booleanFlags.ts';

const RAW = { quiet: false, q: false, model: 'm', stat: ['p50'], 'no-server-metrics': true };

test.each([
  ['--quiet=yes', '--quiet is "yes"'],
  ['--quiet=1', '--quiet is "1"'],
  ['--quiet=True', '--quiet is "True"'],
  ['--quiet=', '--quiet is ""'],
  ['-q=on', '-q is "on"'],
  ['-vq=off', '-q is "off"'],
  ['--no-server-metrics=no', '--no-server-metrics is "no"'],
])('rejects %s', (word, message) => {
  expect(() => checkBooleanFlags(RAW, ['collect', word])).toThrow(
    `${message}; expected true or false, or the option alone`,
  );
});

test.each([
  ['--quiet'],
  ['--quiet=true'],
  ['--quiet=false'],
  ['--model=yes'],
  ['--stat=yes'],
  ['--other=yes'],
  ['quiet=yes'],
])('accepts %s', word => {
  expect(() => checkBooleanFlags(RAW, ['collect', word])).not.toThrow();
});

test('ignores words after --', () => {
  expect(() => checkBooleanFlags(RAW, ['collect', '--', 'load', '--quiet=yes'])).not.toThrow();
});
