import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { main } from '../src/main.ts';
import { testIo } from './io.ts';

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
])('rejects %j', async (args, message) => {
  const io = testIo(tmpdir());
  expect(await main(args, io)).toBe(2);
  expect(io.err.join('')).toContain(message);
});
