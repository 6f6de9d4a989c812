import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { main } from '../src/main.ts';
import { checkSwitches } from '../src/switches.ts';
import { testIo } from './io.ts';

const raw = { quiet: false, q: false, model: 'm', 'no-server-metrics': true };

test.each([
  ['--quiet=yes', '--quiet is "yes"'],
  ['--quiet=1', '--quiet is "1"'],
  ['--quiet=True', '--quiet is "True"'],
  ['--quiet=', '--quiet is ""'],
  ['-q=on', '-q is "on"'],
  ['-vq=off', '-q is "off"'],
  ['--no-server-metrics=no', '--no-server-metrics is "no"'],
])('%s is refused', (word, said) => {
  expect(() => checkSwitches(raw, ['collect', word])).toThrow(
    `${said}; expected true or false, or the option alone`,
  );
});

test.each([
  ['--quiet'],
  ['--quiet=true'],
  ['--quiet=false'],
  ['--model=yes'],
  ['--other=yes'],
  ['quiet=yes'],
])('%s passes', word => {
  expect(() => checkSwitches(raw, ['collect', word])).not.toThrow();
});

test('the words of a command are its own', () => {
  expect(() => checkSwitches(raw, ['collect', '--', 'load', '--quiet=yes'])).not.toThrow();
});

test.each([
  [['collect', '--url', 'a:1', '--insecure=yes'], '--insecure is "yes"'],
  [['collect', '--url', 'a:1', '-q=1'], '-q is "1"'],
  [['profile', '-m', 'm', '--streaming=on'], '--streaming is "on"'],
  [['profile', '-m', 'm', '--vary-seed-per-trial=yes'], '--vary-seed-per-trial is "yes"'],
  [['validate', 'x.json', '--strict=yes'], '--strict is "yes"'],
  [['recover', '/no/such', '--parquet-partition=no'], '--parquet-partition is "no"'],
  [['export', '/no/such', '--parquet-partition=0'], '--parquet-partition is "0"'],
  [['simulate', '--truth=yes'], '--truth is "yes"'],
  [['read', 'summary', '/no/such', '--json=yes'], '--json is "yes"'],
])('%j is a mistake', async (args, said) => {
  const io = testIo(tmpdir());
  expect(await main(args, io)).toBe(2);
  expect(io.err.join('')).toContain(said);
});
