import { expect, test } from 'vitest';
import { checkBooleanFlags } from '../src/booleanFlags.ts';

const RAW = { quiet: false, q: false, model: 'm', stat: ['p50'], 'no-server-metrics': true };

test.each([
  ['--quiet=yes', 'invalid --quiet "yes"'],
  ['--quiet=1', 'invalid --quiet "1"'],
  ['--quiet=True', 'invalid --quiet "True"'],
  ['--quiet=', 'invalid --quiet ""'],
  ['-q=on', 'invalid -q "on"'],
  ['-vq=off', 'invalid -q "off"'],
  ['--no-server-metrics=no', 'invalid --no-server-metrics "no"'],
])('rejects %s', (word, message) => {
  expect(() => checkBooleanFlags(RAW, ['collect', word])).toThrow(
    `${message}: expected true, false or no value`,
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
