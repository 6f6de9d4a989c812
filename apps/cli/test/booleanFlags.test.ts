import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { main } from '../src/main.ts';
import { testIo } from './io.ts';

test.each([
  [['collect', '--url', 'a:1', '--insecure=yes'], 'invalid --insecure "yes"'],
  [['collect', '--url', 'a:1', '-q=1'], 'invalid -q "1"'],
  [['profile', '-m', 'm', '--streaming=on'], 'invalid --streaming "on"'],
  [['profile', '-m', 'm', '--vary-seed-per-trial=yes'], 'invalid --vary-seed-per-trial "yes"'],
  [['validate', 'x.json', '--strict=yes'], 'invalid --strict "yes"'],
  [['recover', '/no/such', '--parquet-partition=no'], 'invalid --parquet-partition "no"'],
  [['export', '/no/such', '--parquet-partition=0'], 'invalid --parquet-partition "0"'],
  [['simulate', '--truth=yes'], 'invalid --truth "yes"'],
  [['read', 'summary', '/no/such', '--json=yes'], 'invalid --json "yes"'],
])('rejects %j', async (args, message) => {
  const io = testIo(tmpdir());
  expect(await main(args, io)).toBe(2);
  expect(io.err.join('')).toContain(message);
});
