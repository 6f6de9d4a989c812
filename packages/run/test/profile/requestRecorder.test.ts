import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RequestMetrics, RequestRecord } from '@org/loadgen';
import { RunInputError } from '@org/record';
import { expect, test } from 'vitest';
import type { ProfilePlan } from '../../src/plan/profilePlan.ts';
import { resolvePlan } from '../../src/plan/runPlan.ts';
import { getProfilePaths } from '../../src/profile/profilePaths.ts';
import { isStreaming, RequestRecorder } from '../../src/profile/requestRecorder.ts';
import { createFolder, createProfilePlan } from '../plans.ts';
import { createRecord } from './records.ts';

const ORIGIN_NS = 1_795_248_930_000_000_000n;

async function openRecorder(changes: Partial<ProfilePlan> = {}): Promise<{
  recorder: RequestRecorder;
  readLines: () => Record<string, unknown>[];
}> {
  const paths = getProfilePaths(createFolder(), undefined);
  const recorder = await RequestRecorder.open(resolvePlan(createProfilePlan('http://a:1', changes)), paths);
  recorder.originNs = ORIGIN_NS;
  const readLines = (): Record<string, unknown>[] =>
    readFileSync(paths.jsonl, 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
  return { recorder, readLines };
}

test('writes a line for each request of the profiling phase, and computes its metrics', async () => {
  const { recorder, readLines } = await openRecorder({ exports: { sliceSeconds: 1 } });
  recorder.profilingStartNs = ORIGIN_NS + 1_000_000_000n;
  recorder.add(createRecord(1.2e9));
  const failure = { type: 'RequestCancellationError', code: 499, message: 'cancelled' } as const;
  recorder.add(createRecord(2.2e9, { cancelled: true, failure }));
  expect(await recorder.close()).toMatchObject([{ ok: true }]);
  const { succeeded, failed, cancelled } = recorder.metrics;
  expect([succeeded, failed, cancelled]).toEqual([1, 0, 1]);
  expect(recorder.profilingStartNs).toBe(ORIGIN_NS + 1_000_000_000n);
  expect(recorder.slices!.toSlices(1e9, 3e9)).toHaveLength(2);
  expect(readLines().map(({ metadata }) => (metadata as { was_cancelled: boolean }).was_cancelled)).toEqual([
    false,
    true,
  ]);
});

test('writes the requests of the warm-up, and computes their metrics separately', async () => {
  const { recorder, readLines } = await openRecorder({ warmup: { concurrency: 1, requestCount: 2 } });
  const failure = { type: 'Interrupted', message: 'the warm-up ended' } as const;
  recorder.add(createRecord(0, { phase: 'warmup' }));
  recorder.add(createRecord(0, { phase: 'warmup', failure }));
  recorder.add(createRecord(2e8));
  await recorder.close();
  expect(recorder.warmupCutOff).toBe(1);
  expect([recorder.metrics.succeeded, recorder.metrics.failed]).toEqual([1, 0]);
  expect([recorder.warmupMetrics!.succeeded, recorder.warmupMetrics!.failed]).toEqual([1, 1]);
  expect(recorder.slices).toBeUndefined();
  const phases = readLines().map(({ metadata }) => (metadata as { benchmark_phase: string }).benchmark_phase);
  expect(phases).toEqual(['warmup', 'warmup', 'profiling']);
});

test('one response without usage in the warm-up changes the counts of both phases to the client', async () => {
  const warmup = { concurrency: 1, requestCount: 2 };
  const { recorder, readLines } = await openRecorder({ warmup, tokenCount: 'auto' });
  recorder.add({ ...WITH_USAGE, phase: 'warmup' });
  recorder.add({ ...WITHOUT_USAGE, phase: 'warmup' });
  recorder.add(WITH_USAGE);
  await recorder.close();
  expect(recorder.tokenSource).toBe('client');
  expect(recorder.warmupMetrics!.toBlocks().total_osl).toMatchObject({ avg: 10 });
  expect(recorder.metrics.toBlocks().total_osl).toMatchObject({ avg: 5 });
  expect(readLines()).toHaveLength(3);
});

const CLIENT = { input: 12, output: 5, reasoning: 0 };
const SERVER = { promptTokens: 20, completionTokens: 4 };
const WITH_USAGE = createRecord(0, { counted: CLIENT, usage: SERVER });
const WITHOUT_USAGE = createRecord(0, { counted: CLIENT, usage: undefined });
const FAILED = createRecord(0, {
  counted: CLIENT,
  failure: { type: 'HttpError', code: 500, message: 'boom' },
});

test.each([
  ['auto', 'all responses contain usage', [WITH_USAGE, WITH_USAGE], 'server', 8],
  ['auto', 'a failed request has no usage', [FAILED, WITH_USAGE], 'server', 4],
  ['auto', 'the first response has no usage', [WITHOUT_USAGE, WITH_USAGE], 'client', 10],
  ['auto', 'the last response has no usage', [WITH_USAGE, WITHOUT_USAGE], 'client', 10],
  ['auto', 'no response contains usage', [WITHOUT_USAGE, WITHOUT_USAGE], 'client', 10],
  ['client', 'all responses contain usage', [WITH_USAGE, WITH_USAGE], 'client', 10],
  ['server', 'a response has no usage', [WITH_USAGE, WITHOUT_USAGE], 'server', 4],
] as const)(
  'with --token-count %s, if %s, all metrics use one source',
  async (tokenCount, _, records, source, tokens) => {
    const { recorder, readLines } = await openRecorder({ tokenCount, exports: { sliceSeconds: 1 } });
    for (const record of records) recorder.add(record);
    expect(await recorder.close()).toMatchObject([{ ok: true }]);
    expect(recorder.tokenSource).toBe(source);
    expect(recorder.metrics.toBlocks().total_osl).toMatchObject({ avg: tokens });
    expect(recorder.slices!.toSlices(0, 1e9)[0]!.blocks.total_osl).toMatchObject({ avg: tokens });
    const lengths = readLines().map(
      ({ metrics }) => (metrics as RequestMetrics).output_sequence_length?.value ?? 0,
    );
    expect(lengths.reduce<number>((sum, length) => sum + (length as number), 0)).toBe(tokens);
  },
);

test('lines state whether a successful request meets the goodput limits', async () => {
  const goodput = [{ tag: 'request_latency', limit: 90, moreIsBetter: false }];
  const { recorder, readLines } = await openRecorder({ goodput });
  const failure = { type: 'RequestCancellationError', code: 499, message: 'cancelled' } as const;
  recorder.add(createRecord(0));
  recorder.add(createRecord(1e9, { lastTokenNs: 1.05e9 }));
  recorder.add(createRecord(2e9, { failure }));
  recorder.add(createRecord(3e9, { cancelled: true, failure }));
  await recorder.close();
  expect(readLines().map(({ metrics }) => (metrics as RequestMetrics).good_request_count)).toEqual([
    { value: 0, unit: 'requests' },
    { value: 1, unit: 'requests' },
    undefined,
    undefined,
  ]);
});

test('lines are rated again with the token counts of the client', async () => {
  const goodput = [{ tag: 'output_sequence_length', limit: 5, moreIsBetter: true }];
  const { recorder, readLines } = await openRecorder({ goodput, tokenCount: 'auto' });
  recorder.add(WITH_USAGE);
  recorder.add(WITHOUT_USAGE);
  await recorder.close();
  // The server counted 4 tokens in the first response, the client 5.
  expect(readLines().map(({ metrics }) => (metrics as RequestMetrics).good_request_count!.value)).toEqual([
    1, 1,
  ]);
  expect(recorder.metrics.toBlocks().good_request_count!.avg).toBe(2);
  expect(recorder.metrics.getDistribution('good_request_count')).toBeUndefined();
});

test('an earlier run of the same benchmark determines the source of token counts', async () => {
  const { recorder } = await openRecorder({ tokenCount: 'auto', tokenSource: 'client' });
  recorder.add(WITH_USAGE);
  await recorder.close();
  expect(recorder.tokenSource).toBe('client');
});

test('redacts secrets that a server repeats in its error', async () => {
  const { request } = createProfilePlan('http://a:1');
  const { recorder, readLines } = await openRecorder({
    request: { ...request, apiKey: 'sk-hunter2hunter2' },
  });
  const failure = { type: 'HttpStatus', code: 401, message: 'unknown key sk-hunter2hunter2' };
  recorder.add(createRecord(0, { failure } as unknown as Partial<RequestRecord>));
  await recorder.close();
  expect(JSON.stringify(readLines())).not.toContain('hunter2');
});

test('throws RunInputError if the file cannot be created', async () => {
  const paths = getProfilePaths(join(createFolder(), 'missing'), undefined);
  const opening = RequestRecorder.open(resolvePlan(createProfilePlan('http://a:1')), paths);
  await expect(opening).rejects.toThrow(RunInputError);
  await expect(opening).rejects.toThrow('cannot write to the artifact folder');
});

test.each([
  [true, 'chat', true],
  [false, 'chat', false],
  [true, 'embeddings', false],
] as const)('with streaming %j, the responses of %s are streams: %j', (streaming, endpoint, expected) => {
  const { request } = createProfilePlan('http://a:1');
  expect(isStreaming({ request: { ...request, streaming, endpoint } })).toBe(expected);
});
