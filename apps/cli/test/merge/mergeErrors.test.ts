import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { MODEL } from '../support/profileRun.ts';
import { startRecordingServer } from '../support/recordingServer.ts';
import { FAST_SCRAPES, runServelens } from '../support/servelens.ts';
import { makeSuiteFolder } from '../support/temporaryFolder.ts';

const server = await startRecordingServer();
const cwd = makeSuiteFolder();
const run = (...args: string[]) => runServelens(args, { cwd, env: FAST_SCRAPES });
let merges = 0;
const merge = (...args: string[]) => run('merge', ...args, '-o', `merged${++merges}`);

/** The number of shards in the export of shard 1 of 2. */
const SHARD_COUNT = /("shard": \{\s+"index": 1,\s+"count": )2/;

const PROFILE = [
  ...['profile', '--model', MODEL, '--url', server.url, '--tokenizer', 'builtin', '--ui', 'none'],
  ...['--no-gpu-telemetry', '--isl', '12', '--osl', '3', '--concurrency', '2', '--request-count', '4'],
  ...['--random-seed', '7'],
];

/** The planned start in the export of a shard. */
const PLANNED_START = /"start_at_ns": \d+/;

/** Copies a folder, and changes a text in its profile export. */
function copyShard(from: string, to: string, change: (text: string) => string = text => text): void {
  cpSync(join(cwd, from), join(cwd, to), { recursive: true });
  const path = join(cwd, to, 'profile_export_aiperf.json');
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}

beforeAll(async () => {
  // Without a planned start, a busy machine may run the shards one after the other. A start in the past is refused.
  const startAt = new Date(Date.now() + 10_000).toISOString();
  const starts = ['0/2', '1/2'].map((shard, index) =>
    run(...PROFILE, '--shard', shard, '--start-at', startAt, '--artifact-dir', `s${index}`),
  );
  for (const started of starts) expect(await started).toMatchObject({ code: 0 });
  expect(await run(...PROFILE, '--artifact-dir', 'whole')).toMatchObject({ code: 0 });
  copyShard('s1', 'copy');
  copyShard('s1', 'again', text => text.replace(/"benchmark_id": "[^"]+"/g, '"benchmark_id": "other"'));
  copyShard('s1', 'more', text => text.replace(SHARD_COUNT, '$13'));
  copyShard('s1', 'options', text => text.replace('"concurrency": 2', '"concurrency": 6'));
  const unplan = (text: string) => text.replace(PLANNED_START, '"start_delay_ms": 0');
  copyShard('s0', 'unplanned', unplan);
  copyShard('s1', 'later', text =>
    unplan(text).replace(/"(start|end)_time": "\d{4}/g, match => match.replace(/\d{4}/, '2031')),
  );
  copyShard('s1', 'planned', text => text.replace(PLANNED_START, '"start_at_ns": 1795867759000000000'));
  copyShard('s1', 'broken', text => text.slice(0, 2000));
  copyShard('s1', 'norequests');
  rmSync(join(cwd, 'norequests', 'profile_export.jsonl'));
  mkdirSync(join(cwd, 'empty'));
});

describe('refuses', () => {
  test.each([
    ['a missing shard', ['s0'], '1 shard of 2 is missing: 1/2; add the folder, or use --allow-missing'],
    ['a folder twice', ['s0', 's1', 's0'], 'is given twice'],
    ['a copy of a shard', ['s0', 's1', 'copy'], 'shard 1/2 is given twice: '],
    ['two runs of a shard', ['s0', 's1', 'again'], 'shard 1/2 ran twice: '],
    ['other numbers of shards', ['s0', 'more'], 'have different numbers of shards'],
    ['other options', ['s0', 'options'], 'have different options: phases.0.concurrency is 6 and 2'],
    ['shards at other times', ['unplanned', 'later'], 'are of different runs: they started at '],
    ['other planned starts', ['s0', 'planned'], 'with different values of --start-at'],
    [
      'a run that is not a shard',
      ['s0', 'whole'],
      'is not a shard; start each part with: servelens profile --shard I/N',
    ],
    ['a damaged export', ['s0', 'broken'], 'profile_export_aiperf.json'],
    ['a shard without requests', ['s0', 'norequests'], 'has no profile_export.jsonl'],
    ['a folder without a run', ['s0', 'empty'], 'no journal, Parquet, JSONL or JSON export'],
    ['a folder that does not exist', ['s0', 'nowhere'], 'does not exist'],
  ])('%s, and writes nothing', async (_, shards, message) => {
    const { code, err } = await merge(...shards);
    expect(err).toContain(message);
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(code).toBe(2);
    expect(existsSync(join(cwd, `merged${merges}`))).toBe(false);
  });

  test('a folder of results that contains a run', async () => {
    const { code, err } = await run('merge', 's0', 's1', '-o', 's0');
    expect(err).toContain(
      'profile_export_aiperf.json already exists; write the merged run to another folder',
    );
    expect(code).toBe(2);
  });

  test('a merge without a folder for its results', async () => {
    expect(await run('merge', 's0', 's1')).toMatchObject({
      code: 2,
      err: expect.stringContaining('missing --output'),
    });
  });

  test('a merged run', async () => {
    expect(await run('merge', 's0', 's1', '-o', 'first')).toMatchObject({ code: 0 });
    expect(await merge('s0', 'first')).toMatchObject({
      code: 2,
      err: expect.stringContaining('contains a run that is already merged'),
    });
  });
});

test('merges an incomplete run with --allow-missing', async () => {
  expect(await run('merge', 's1', '--allow-missing', '-o', 'incomplete')).toMatchObject({ code: 0 });
  const text = readFileSync(join(cwd, 'incomplete', 'profile_export_aiperf.json'), 'utf8');
  expect(JSON.parse(text)).toMatchObject({
    is_complete: false,
    incomplete_reason: '1 shard of 2 is missing.',
    request_count: { avg: 2 },
    shards: [{ index: 1 }],
  });
});

test('names the command that recovers a killed shard, and merges the recovered shard', async () => {
  const shard = ['--shard', '1/2', '--keep-journal', '--artifact-dir', 'killed'];
  expect(await run(...PROFILE, ...shard)).toMatchObject({ code: 0 });
  // A killed run has its journal and its requests, but no exports.
  const killed = join(cwd, 'killed');
  for (const name of readdirSync(killed))
    if (!['profile.journal', 'profile_export.jsonl'].includes(name))
      rmSync(join(killed, name), { recursive: true });
  const { code, err } = await merge('killed', '--allow-missing');
  expect(err).toMatch(/was killed before it wrote its exports; write them with: servelens recover .*killed/);
  expect(code).toBe(2);
  expect(await run('recover', 'killed')).toMatchObject({ code: 0 });
  expect(await run('merge', 'killed', '--allow-missing', '-o', 'recovered')).toMatchObject({ code: 0 });
  const text = readFileSync(join(cwd, 'recovered', 'profile_export_aiperf.json'), 'utf8');
  expect(JSON.parse(text)).toMatchObject({ request_count: { avg: 2 }, shards: [{ index: 1, requests: 2 }] });
});
