import { join } from 'node:path';
import { fromPath, type ProfileExport, validate } from '@org/formats';
import { describe, expect, test } from 'vitest';
import { getMetric, readClientExports } from '../support/profileRun.ts';
import { startRecordingServer } from '../support/recordingServer.ts';
import { runServelens } from '../support/servelens.ts';
import { joinRequests, listShifts, readLines, runShards, writeShardInputs } from '../support/shards.ts';
import { makeSuiteFolder } from '../support/temporaryFolder.ts';

const server = await startRecordingServer();
const folder = makeSuiteFolder();
writeShardInputs(folder);

const SHORT = ['--isl', '12', '--osl', '3'];
const TURNS = [...SHORT, '--conversation-turn-mean', '3', '--conversation-turn-stddev', '1'];

/** Loads, and whether the planned times do not depend on responses. */
const LOADS: readonly [name: string, options: readonly string[], isPlanned: boolean][] = [
  [
    'a constant rate',
    [...SHORT, '--request-rate', '60', '--arrival-pattern', 'constant', '--request-count', '17'],
    true,
  ],
  [
    'a Poisson rate',
    [...SHORT, '--request-rate', '60', '--request-count', '17', '--warmup-request-count', '5'],
    true,
  ],
  [
    'a gamma rate',
    [...SHORT, '--request-rate', '60', '--arrival-smoothness', '0.5', '--request-count', '17'],
    true,
  ],
  ['a fixed schedule', ['--input-file', join(folder, 'timed.jsonl'), '--fixed-schedule'], true],
  ['users', ['--user-centric-rate', '60', '--num-users', '6', '--num-sessions', '12', ...TURNS], true],
  ['a concurrency', [...SHORT, '--concurrency', '5', '--request-count', '17'], false],
  ['sessions', ['--concurrency', '4', '--num-sessions', '8', ...TURNS], false],
];

describe.each(LOADS)('%s: 3 shards', (name, options, isPlanned) => {
  const cwd = makeSuiteFolder();

  test('send the requests of 1 process, and are merged into its totals', async () => {
    const [whole] = await runShards(cwd, server, options, 0);
    const parts = await runShards(cwd, server, options, 3);
    expect(joinRequests(parts)).toEqual(joinRequests([whole!]));
    expect(parts.every(({ requests }) => requests.length > 0)).toBe(true);
    if (isPlanned) for (const part of parts) expect(listShifts(whole!, part)).toHaveLength(1);
    await expectMerged(
      cwd,
      whole!.folder,
      parts.map(part => part.folder),
      name,
    );
  });
});

/** Reports whether the first run was active at the same time as each of the others. */
function haveOverlap([first, ...others]: readonly ProfileExport[]): boolean {
  return others.every(
    ({ start_time: start, end_time: end }) => start! <= first!.end_time! && first!.start_time! <= end!,
  );
}

/** Merges shards, and compares the totals with the shards and with one process. */
async function expectMerged(
  cwd: string,
  whole: string,
  shards: readonly string[],
  name: string,
): Promise<void> {
  const merge = await runServelens(['merge', ...[...shards].reverse(), '--output', 'merged'], { cwd });
  const single = await readClientExports(whole);
  const parts = await Promise.all(shards.map(readClientExports));
  if (!haveOverlap(parts.map(({ document }) => document))) {
    // On a busy machine, a shard may end before another one has started, because there is no --start-at.
    expect(merge, name).toMatchObject({ code: 2, err: expect.stringContaining('are of different runs') });
    return;
  }
  expect(merge, name).toMatchObject({ code: 0 });
  const merged = await readClientExports(join(cwd, 'merged'));
  for (const tag of ['request_count', 'total_osl', 'total_isl'])
    expect(getMetric(merged.document, tag).avg).toBe(getMetric(single.document, tag).avg);
  const latency = getMetric(merged.document, 'request_latency');
  const values = parts.flatMap(({ records }) =>
    records.map(record => record.metrics.request_latency!.value as number),
  );
  expect(latency).toMatchObject({ count: values.length, min: Math.min(...values), max: Math.max(...values) });
  expect(latency.avg).toBeCloseTo(values.reduce((sum, value) => sum + value, 0) / values.length, 6);
  expect(merged.document.shards).toMatchObject(
    parts.map(({ records, document }, index) => ({
      index,
      requests: records.length,
      benchmark_id: document.benchmark_id,
      was_cancelled: false,
    })),
  );
  expect(merged.document).toMatchObject({ was_cancelled: false, is_complete: true });
  const lines = await readLines(join(cwd, 'merged'));
  expect(lines).toHaveLength((await Promise.all(shards.map(readLines))).flat().length);
  expect(new Set(lines.map(({ metadata }) => metadata.worker_id))).toEqual(
    new Set(['shard_0_worker_0', 'shard_1_worker_0', 'shard_2_worker_0']),
  );
  for (const file of ['profile_export_aiperf.json', 'profile_export.jsonl', 'server_metrics_export.json'])
    expect(await validate(fromPath(join(cwd, 'merged', file)))).toMatchObject({ valid: true });
}
