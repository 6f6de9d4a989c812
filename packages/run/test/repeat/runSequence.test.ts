import { RunInputError } from '@org/record';
import { expect, test } from 'vitest';
import { createExport } from '../../../record/test/support/profileExports.ts';
import type { PlannedRun } from '../../src/repeat/repeatPlan.ts';
import { executeRuns, type SequenceOptions } from '../../src/repeat/runSequence.ts';
import { createPlan, createReport } from './fakes.ts';

const PLAN = createPlan({ runs: 3, cooldownSeconds: 4 });

function createOptions(
  execute: SequenceOptions['execute'],
  changes: Partial<SequenceOptions> = {},
): SequenceOptions {
  return { execute, coolDown: async () => {}, interruptSignal: new AbortController().signal, ...changes };
}

test('executes the runs one after another, with a cool-down in between', async () => {
  const log: string[] = [];
  const { outcomes, wasCancelled } = await executeRuns(
    PLAN,
    createOptions(
      async ({ label }) => {
        log.push(label);
        return createReport([10], 1);
      },
      { coolDown: async (seconds, next) => void log.push(`${seconds} s before ${next.label}`) },
    ),
  );
  expect(log).toEqual(['run_0001', '4 s before run_0002', 'run_0002', '4 s before run_0003', 'run_0003']);
  expect(wasCancelled).toBe(false);
  expect(
    outcomes.map(outcome => 'statistics' in outcome && outcome.statistics.client.get('request_latency_avg')),
  ).toEqual(Array(3).fill({ value: 10, unit: 'ms', tag: 'request_latency', stat: 'avg' }));
});

test('reports the cause of a cancelled run', async () => {
  const WARNINGS = [
    { run: 'run_0001', kind: 'worker_lost', message: 'worker_1 ended early' },
    { run: 'run_0002', kind: 'failed_request_threshold', message: 'run aborted: 9 of 10 requests failed' },
  ];
  const { outcomes } = await executeRuns(
    PLAN,
    createOptions(async ({ label }: PlannedRun) => {
      const warning = WARNINGS.find(({ run }) => run === label);
      return createReport([1], 1, {
        document: createExport([1], 1, {
          was_cancelled: true,
          load_generator: { tokenizer: 'server', warnings: warning ? [warning] : [] },
        }),
      });
    }),
  );
  expect(outcomes.map(outcome => 'error' in outcome && outcome.error)).toEqual([
    'worker_1 ended early',
    'run aborted: 9 of 10 requests failed',
    'interrupted',
  ]);
});

test('continues after a failed run and excludes it', async () => {
  const errors = [
    { error_details: { code: null, type: 'ConnectionRefused', message: 'connection refused' }, count: 4 },
  ];
  const { outcomes } = await executeRuns(
    PLAN,
    createOptions(async ({ label }: PlannedRun) => {
      if (label === 'run_0001') throw new Error('the disk was removed');
      if (label === 'run_0002') {
        const failed = { error_request_count: { unit: 'requests', avg: 4 }, error_summary: errors };
        return createReport([], 1, { document: createExport([], 1, failed) });
      }
      return createReport([], 1);
    }),
  );
  expect(outcomes.map(outcome => 'error' in outcome && outcome.error)).toEqual([
    'the disk was removed',
    'all 4 requests failed: ConnectionRefused: connection refused',
    'no request was sent',
  ]);
});

test('throws a RunInputError of the first run only', async () => {
  const reject = async (): Promise<never> => {
    throw new RunInputError('--tokenizer: no such file');
  };
  await expect(executeRuns(PLAN, createOptions(reject))).rejects.toThrow('tokenizer: no such file');
  const { outcomes } = await executeRuns(
    PLAN,
    createOptions(async run => (run.trial === 1 ? reject() : createReport([1], 1))),
  );
  expect(outcomes.map(outcome => 'error' in outcome)).toEqual([false, true, false]);
});

test('starts no further run after an interruption, and excludes the interrupted run', async () => {
  const controller = new AbortController();
  const { outcomes, wasCancelled } = await executeRuns(
    PLAN,
    createOptions(
      async ({ trial }) => {
        if (trial === 1) controller.abort();
        return createReport([1], 1, { document: createExport([1], 1, { was_cancelled: trial === 1 }) });
      },
      { interruptSignal: controller.signal },
    ),
  );
  expect(wasCancelled).toBe(true);
  expect(outcomes.map(outcome => ('error' in outcome ? outcome.error : 'complete'))).toEqual([
    'complete',
    'interrupted',
  ]);
});

test('keeps completed runs if the sequence is interrupted during a cool-down', async () => {
  const controller = new AbortController();
  const { outcomes, wasCancelled } = await executeRuns(
    PLAN,
    createOptions(async () => createReport([1], 1), {
      interruptSignal: controller.signal,
      coolDown: async () => controller.abort(),
    }),
  );
  expect(wasCancelled).toBe(true);
  expect(outcomes).toHaveLength(1);
});

test('is not cancelled if the last run completes despite the interruption', async () => {
  const controller = new AbortController();
  const { outcomes, wasCancelled } = await executeRuns(
    PLAN,
    createOptions(
      async ({ trial }) => {
        if (trial === 2) controller.abort();
        return createReport([1], 1);
      },
      { interruptSignal: controller.signal },
    ),
  );
  expect(outcomes).toHaveLength(3);
  expect(wasCancelled).toBe(false);
});
