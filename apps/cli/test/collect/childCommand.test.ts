import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runChildCommand } from '../../src/collect/childCommand.ts';
import { createLog } from '../../src/log/log.ts';
import { main } from '../../src/main.ts';
import { Interruption } from '../../src/process/interruption.ts';
import { testIo } from '../io.ts';

const root = mkdtempSync(join(tmpdir(), 'command-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test.each<[string, string[], number, RegExp]>([
  ['an empty name', [''], 127, /cannot run "": command not found/],
  ['a NUL in an argument', ['echo', 'a\0b'], 126, /cannot run "echo": .*null bytes/],
  ['a NUL in the name', ['a\0b'], 126, /cannot run "a\\u0000b": .*null bytes/],
  ['too long an argument', ['true', 'x'.repeat(4_000_000)], 126, /cannot run "true": .*E2BIG/],
  ['no such command', ['no-such-command'], 127, /cannot run "no-such-command": command not found/],
  ['a folder', [root], 126, /EACCES/],
])('reports why %s cannot be run', async (_, words, exitCode, failure) => {
  const io = testIo(root);
  const interruption = new Interruption();
  const end = await runChildCommand(words, io, interruption, createLog(io, false));
  interruption.release();
  expect(end).toEqual({ exitCode, failure: expect.stringMatching(failure) });
  expect(io.err.join('')).toMatch(/^ERROR/);
});

test('exports a run whose command cannot be started', async () => {
  const io = testIo(root, { AIPERF_SERVER_METRICS_COLLECTION_FLUSH_PERIOD: '0' });
  const code = await main(['collect', '--url', '127.0.0.1:9', '--artifact-dir', 'run', '--', ''], io);
  expect(code).toBe(127);
  expect(readdirSync(join(root, 'run')).filter(name => name.endsWith('.journal'))).toEqual([]);
  expect(existsSync(join(root, 'run/server_metrics_export.json'))).toBe(true);
});

test('runs that start in the same second have different folders', async () => {
  const io = testIo(root, { AIPERF_SERVER_METRICS_COLLECTION_FLUSH_PERIOD: '0' });
  const run = (): Promise<number> => main(['collect', '--url', '127.0.0.1:9', '--duration', '0.05'], io);
  expect(await Promise.all([run(), run(), run()])).toEqual([0, 0, 0]);
  expect(readdirSync(join(root, 'artifacts'))).toHaveLength(3);
});
