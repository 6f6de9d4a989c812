import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { assessConvergence } from '../../src/repeat/convergence.ts';
import type { ConvergenceRule } from '../../src/repeat/convergenceRule.ts';
import { readRequestValues } from '../../src/repeat/requestValues.ts';
import type { RunOutcome } from '../../src/repeat/runOutcome.ts';
import { executeRuns } from '../../src/repeat/runSequence.ts';
import { createPlan, createReport, writeRequestsFile } from './fakes.ts';

/** Executes runs with these mean latencies, and returns their outcomes. */
async function createOutcomes(
  latencies: readonly number[],
  requests?: readonly (readonly number[])[],
): Promise<readonly RunOutcome[]> {
  const plan = createPlan({ runs: latencies.length });
  const { outcomes } = await executeRuns(plan, {
    execute: async (_, index) =>
      createReport([latencies[index]!], 1, requests ? { requests: writeRequestsFile(requests[index]!) } : {}),
    coolDown: async () => {},
    interruptSignal: new AbortController().signal,
  });
  return outcomes;
}

const createRule = (changes: Partial<ConvergenceRule>): ConvergenceRule => ({
  metric: 'request_latency',
  stat: 'avg',
  mode: 'ci_width',
  threshold: 0.1,
  ...changes,
});

// The values of AIPerf for the same runs.
test.each<[Partial<ConvergenceRule>, number, number, boolean]>([
  [{}, 0.95, 0.16208537642490578, false],
  [{ threshold: 0.11 }, 0.9, 0.10999887550173944, true],
  [{ mode: 'cv', threshold: 0.05 }, 0.95, 0.032624072260208956, true],
  [{ mode: 'cv', threshold: 0.03 }, 0.95, 0.032624072260208956, false],
])('%j at a level of %d has the value %d: %j', async (changes, level, value, converged) => {
  const convergence = await assessConvergence(
    createRule(changes),
    await createOutcomes([100, 104, 97.5]),
    level,
  );
  expect(convergence.value).toBeCloseTo(value, 9);
  expect(convergence).toMatchObject({ runs: 3, converged });
});

test('compares the requests of the last run with the requests of all runs before', async () => {
  const rule = createRule({ mode: 'distribution', threshold: 0.05 });
  const [first, second, last] = [
    [1, 3, 5, 7],
    [9, 11.5, 13, 15],
    [2, 4, 6, 20, 21, 22],
  ];
  const outcomes = await createOutcomes([1, 1, 1], [first!, second!, last!]);
  const convergence = await assessConvergence(rule, outcomes, 0.95);
  expect(convergence.value).toBeCloseTo(0.30169830169830175, 9);
  expect(convergence).toMatchObject({ converged: true });
  expect(convergence).not.toHaveProperty('stat');
});

test.each<[string, Partial<ConvergenceRule>, number[]]>([
  ['a single run', {}, [100]],
  ['an unknown metric', { metric: 'unknown' }, [100, 100]],
  ['runs without requests', { mode: 'distribution' }, [100, 100]],
  ['a mean of 0', {}, [0, 0]],
])('%s has no value and does not converge', async (_, changes, latencies) => {
  const convergence = await assessConvergence(createRule(changes), await createOutcomes(latencies), 0.95);
  expect(convergence).toMatchObject({ value: null, converged: false });
});

test('ends the runs of a variation that has converged, and continues the others', async () => {
  const plan = createPlan({ runs: 4, concurrency: [1, 2] });
  const executed: string[] = [];
  await executeRuns(plan, {
    execute: async ({ variation, label }) => {
      executed.push(`${variation.label} ${label}`);
      return createReport([10], 1);
    },
    coolDown: async () => {},
    interruptSignal: new AbortController().signal,
    hasConverged: async ({ variation }, outcomes) => variation.index === 0 && outcomes.length === 2,
  });
  expect(executed.filter(run => run.startsWith('concurrency_1 '))).toHaveLength(2);
  expect(executed.filter(run => run.startsWith('concurrency_2 '))).toHaveLength(4);
});

test('pauses between variations and between trials', async () => {
  const listPauses = async (mode: 'repeated' | 'independent'): Promise<number[]> => {
    const pauses: number[] = [];
    const plan = createPlan({
      runs: 2,
      concurrency: [1, 2],
      cooldownSeconds: 5,
      sweepCooldownSeconds: 1,
      mode,
    });
    await executeRuns(plan, {
      execute: async () => createReport([10], 1),
      coolDown: async seconds => void pauses.push(seconds),
      interruptSignal: new AbortController().signal,
    });
    return pauses;
  };
  expect([await listPauses('repeated'), await listPauses('independent')]).toEqual([
    [1, 5, 1],
    [5, 1, 5],
  ]);
});

test('reads the requests of profiling that have the metric', async () => {
  const path = writeRequestsFile([]);
  const line = (phase: string, metrics: object) =>
    JSON.stringify({ metadata: { benchmark_phase: phase }, metrics });
  const lines = [
    line('warmup', { ttft: { value: 1 } }),
    line('profiling', { ttft: { value: 2 } }),
    line('profiling', { other: { value: 3 } }),
  ];
  writeFileSync(path, `${lines.join('\n')}\n`);
  expect(await readRequestValues(path, 'ttft')).toEqual([2]);
  expect(await readRequestValues(`${path}.missing`, 'ttft')).toEqual([]);
});
