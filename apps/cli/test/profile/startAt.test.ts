import { expect, test } from 'vitest';
import { MODEL, readClientExports } from '../support/profileRun.ts';
import { startRecordingServer } from '../support/recordingServer.ts';
import { FAST_SCRAPES, runServelens } from '../support/servelens.ts';
import { makeTestFolder } from '../support/temporaryFolder.ts';

const { url } = await startRecordingServer();
const LOAD = [
  ...[
    'profile',
    '--model',
    MODEL,
    '--url',
    url,
    '--tokenizer',
    'builtin',
    '--ui',
    'none',
    '--no-gpu-telemetry',
  ],
  ...['--isl', '12', '--osl', '3', '--random-seed', '7'],
];
const RATE = [
  '--request-rate',
  '50',
  '--arrival-pattern',
  'constant',
  '--request-count',
  '5',
  '--artifact-dir',
  'run',
];

test('--start-at starts profiling at a time, after the warm-up', async () => {
  const cwd = makeTestFolder();
  const startAt = new Date(Date.now() + 3000);
  const options = [
    ...RATE,
    '--shard',
    '0/1',
    '--warmup-request-count',
    '2',
    '--start-at',
    startAt.toISOString(),
  ];
  const { code, err } = await runServelens([...LOAD, ...options], { cwd, env: FAST_SCRAPES });
  expect(code).toBe(0);
  const startAtNs = BigInt(startAt.getTime()) * 1_000_000n;
  const { document, records } = await readClientExports(`${cwd}/run`);
  const planned = records.map(({ metadata }) => BigInt(metadata.credit_issued_ns!)).sort();
  const { start_at_ns, start_delay_ms: delayMs } = document.shard!;
  expect(start_at_ns).toBe(startAtNs);
  // A busy machine may not be ready in time, which is stated.
  if (delayMs === 0) expect(planned[0]).toBe(startAtNs);
  else expect(planned[0]! >= startAtNs).toBe(true);
  expect(planned[4]! - planned[0]!).toBe(80_000_000n);
  expect(delayMs! > 5).toBe(err.includes('s after --start-at, because the run was not ready in time'));
});

test.each([
  ['2020-01-01T00:00:00Z', 'expected a time in the future; the clock of this machine shows '],
  ['2099-01-01T00:00:00', 'expected a time with a time zone, such as 2026-11-28T14:00:00Z'],
  ['soon', 'expected a time with a time zone'],
])('refuses --start-at %s', async (time, message) => {
  const { code, err } = await runServelens([...LOAD, ...RATE, '--start-at', time], { cwd: makeTestFolder() });
  expect(err).toContain(message);
  expect(code).toBe(2);
});
