import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FAST_SCRAPES, runServelens, startServelens } from '../support/servelens.ts';
import { makeTestFolder } from '../support/temporaryFolder.ts';

test('runs that start in the same second have different folders', async () => {
  const cwd = makeTestFolder();
  const collect = () =>
    runServelens(['collect', '--url', '127.0.0.1:9', '--duration', '0.05'], { cwd, env: FAST_SCRAPES });
  const runs = await Promise.all([collect(), collect(), collect()]);
  // No endpoint returned data.
  expect(runs.map(({ code }) => code)).toEqual([1, 1, 1]);
  const names = readdirSync(join(cwd, 'artifacts'));
  expect(names).toHaveLength(3);
  for (const name of names) expect(name).toMatch(/^collect-\d{8}-\d{6}(?:-\d+)?$/);
});

test('passes the arguments after -- to the command unchanged', async () => {
  const cwd = makeTestFolder();
  const script = 'console.log(JSON.stringify(process.argv.slice(1)))';
  const words = ['1e3', '0x10', '--quiet', '', '--'];
  const command = ['--', process.execPath, '-e', script, '--', ...words];
  const { code, out } = await startServelens(['collect', '--no-server-metrics', ...command], { cwd }).ended;
  expect(code).toBe(0);
  expect(JSON.parse(out)).toEqual(words);
});
