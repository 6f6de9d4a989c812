import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { SearchHistory } from '@org/formats';
import { validate } from '@org/formats';
import { expect, onTestFinished, test } from 'vitest';
import { findRepeatedRuns, recoverRepeatedRuns } from '../../src/recover/index.ts';
import { profileRepeatedly } from '../../src/repeat/profileRepeatedly.ts';
import type { RepeatEvent, RepeatedProfilePlan, RepeatResult } from '../../src/repeat/repeatedProfile.ts';
import { planSearch } from '../../src/repeat/repeatPlan.ts';
import type { SearchPlan } from '../../src/search/searchPlan.ts';
import { createFolder, createProfilePlan, startSimulator } from '../plans.ts';

const PATH = 'phases.profiling.concurrency';

/** Starts a server that rejects requests while more than `max` others are in flight. */
async function startLimitedServer(max: number): Promise<string> {
  let inFlight = 0;
  const server = createServer(async (request, response) => {
    for await (const _ of request);
    inFlight += 1;
    const isOk = inFlight <= max;
    await new Promise(resolve => setTimeout(resolve, 100));
    inFlight -= 1;
    const body = {
      choices: [{ message: { content: 'a b' } }],
      usage: { prompt_tokens: 9, completion_tokens: 2 },
    };
    response
      .writeHead(isOk ? 200 : 503, { 'content-type': 'application/json' })
      .end(JSON.stringify(isOk ? body : {}));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function createSearchPlan(changes: Partial<SearchPlan> = {}, max = 5): Promise<RepeatedProfilePlan> {
  const search: SearchPlan = {
    dimensions: [
      { name: 'concurrency', label: 'concurrency', path: PATH, low: 1, high: 12, isInteger: true },
    ],
    limits: [{ rule: 'request_error_rate.avg < 5' }],
    objective: { metric: 'request_throughput', stat: 'avg', direction: 'maximize' },
    planner: 'isotonic',
    precision: 0.05,
    replicates: 2,
    maxIterations: 30,
    initialPoints: 3,
    seed: 1,
    ...changes,
  };
  const base = createProfilePlan(await startLimitedServer(max), { targets: [] });
  const request = { ...base.request, streaming: false };
  const create = (concurrency: number) => ({
    ...base,
    request,
    profiling: { concurrency, requestCount: 3 * concurrency },
  });
  const repetition = {
    runs: 1,
    cooldownSeconds: 0,
    confidenceLevel: 0.95,
    mode: 'repeated',
    seed: 1,
    sameSeed: false,
    varySeed: false,
  } as const;
  return {
    folder: createFolder(),
    runs: planSearch(search, repetition as never),
    profiles: [create(1)],
    createProfile: ({ values }) => create(Number(values[PATH])),
  };
}

const readHistory = ({ folder }: RepeatedProfilePlan): SearchHistory =>
  JSON.parse(readFileSync(join(folder, 'search_history.json'), 'utf8'));
const listValues = ({ iterations }: SearchHistory): number[] =>
  iterations.map(({ variation_values: values }) => values[PATH]!);

test('a search finds the concurrency from which a server rejects requests', async () => {
  const plan = await createSearchPlan();
  const { exports }: RepeatResult = await profileRepeatedly(plan);
  const history = readHistory(plan);
  expect(exports.search).toEqual(history);
  expect(listValues(history).slice(0, 4)).toEqual([1, 2, 4, 8]);
  expect(history).toMatchObject({
    convergence_reason: 'precision_reached',
    is_complete: true,
    boundary_summary: {
      feasible_max: { value: 5, runs: 2 },
      infeasible_min: { value: 6, runs: 2, first_breach: { limit: 'request_error_rate.avg < 5' } },
      binding_constraint: 'request_error_rate.avg < 5',
      not_tested: [{ from: 8, to: 12 }],
      is_monotonic: true,
    },
  });
  expect((await validate(readFileSync(join(plan.folder, 'search_history.json'), 'utf8'))).issues).toEqual([]);
  // The aggregates cover all runs of the search.
  expect(exports.sweep!.num_profile_runs).toBe(history.iterations.length);
});

test('a limit that cannot be evaluated ends the search with the reason', async () => {
  const plan = await createSearchPlan({ limits: [{ rule: 'max(vllm:num_requests_waiting) < 5' }] });
  await profileRepeatedly(plan);
  expect(readHistory(plan)).toMatchObject({
    convergence_reason: 'unknown_verdict',
    iterations: [
      { verdict: 'unknown', limits: [{ detail: expect.stringContaining('vllm:num_requests_waiting') }] },
    ],
  });
});

test('a run ends early when a limit has certainly failed', async () => {
  const plan = await createSearchPlan({ limits: [{ rule: 'request_latency.max < 1' }] });
  const { outcomes } = await profileRepeatedly(plan);
  expect(outcomes[0]).toMatchObject({
    endedEarly: true,
    error: expect.stringContaining('ended early: 1 of 3 requests'),
  });
  const history = readHistory(plan);
  expect(history.convergence_reason).toBe('no_pass_in_range');
  // The repeats are measured to their end.
  expect(history.iterations.map(({ ended_early: early }) => early !== undefined)).toEqual([
    true,
    false,
    false,
  ]);
  expect(history.iterations[1]!.margin).toBeGreaterThan(1);
});

test('a run ends early when a gauge of the server is above its limit', async () => {
  const rule = 'max(vllm:num_requests_waiting) < 3';
  const url = await startSimulator({ maxRunning: 2 });
  const search = await createSearchPlan({ limits: [{ rule }], maxIterations: 1 });
  const createProfile = () =>
    createProfilePlan(url, {
      inputs: { ...createProfilePlan(url).inputs, outputTokens: { mean: 100, stddev: 0 } },
      profiling: { concurrency: 12, durationS: 60 },
    });
  const plan = { ...search, profiles: [createProfile()], createProfile };
  const { outcomes } = await profileRepeatedly(plan);
  expect(outcomes).toMatchObject([{ endedEarly: true, error: expect.stringContaining(rule) }]);
  expect(readHistory(plan)).toMatchObject({
    convergence_reason: 'max_iterations',
    iterations: [
      { verdict: 'failed', ended_early: expect.stringContaining('vllm:num_requests_waiting of ') },
    ],
  });
});

test('an interrupted search keeps its runs, and says that it is partial', async () => {
  const plan = await createSearchPlan();
  const interruption = new AbortController();
  const onEvent = (event: RepeatEvent): void => {
    if (event.type === 'run_ended' && event.outcome.run.variation.values[PATH] === 2) interruption.abort();
  };
  const result = await profileRepeatedly(plan, { onEvent, signal: interruption.signal });
  expect(result.wasCancelled).toBe(true);
  expect(readHistory(plan)).toMatchObject({
    convergence_reason: 'cancelled',
    is_complete: false,
    boundary_summary: { feasible_max: { value: 2 }, infeasible_min: null, not_tested: [{ from: 2, to: 12 }] },
  });
});

test('a search is recovered from its journal and its runs', async () => {
  const plan = await createSearchPlan();
  const profiles = {
    ...plan,
    profiles: plan.profiles.map(profile => ({ ...profile, storage: { keepJournal: true } })),
  };
  await profileRepeatedly(profiles as RepeatedProfilePlan);
  const history = readHistory(plan);
  rmSync(join(plan.folder, 'search_history.json'));
  await recoverRepeatedRuns((await findRepeatedRuns(join(plan.folder, 'profile_runs.journal')))!);
  expect(readHistory(plan)).toMatchObject({
    iterations: history.iterations,
    boundary_summary: history.boundary_summary!,
    convergence_reason: 'precision_reached',
  });
});

test('several parameters are searched by a design', async () => {
  const plan = await createSearchPlan({
    planner: 'latin_hypercube',
    limits: [],
    maxIterations: 4,
    initialPoints: 3,
  });
  await profileRepeatedly(plan);
  const history = readHistory(plan);
  expect(history).toMatchObject({ convergence_reason: 'max_iterations', boundary_summary: null });
  expect(history.iterations).toHaveLength(4);
  expect(history.best_trials![0]!.objective_values![0]).toBe(
    Math.max(...history.iterations.flatMap(({ objective_values: values }) => values ?? [])),
  );
});
