import { RunInputError } from '@org/record';
import { expect, test } from 'vitest';
import type { PlannedRun } from '../../src/repeat/repeatPlan.ts';
import { executeRuns, type SequenceOptions } from '../../src/repeat/runSequence.ts';
import { planOf, reportOf } from './fakes.ts';

const PLAN = planOf({ runs: 3, cooldownSeconds: 4 });

function context(execute: SequenceOptions['execute'], more: Partial<SequenceOptions> = {}): SequenceOptions {
  return { execute, coolDown: async () => {}, interrupted: new AbortController().signal, ...more };
}

test('makes all runs one after the other, with a pause between two', async () => {
  const log: string[] = [];
  const { outcomes, wasCancelled } = await executeRuns(
    PLAN,
    context(
      async ({ label }) => {
        log.push(label);
        return reportOf([10], 1);
      },
      { coolDown: async (seconds, next) => void log.push(`${seconds} s before ${next.label}`) },
    ),
  );
  expect(log).toEqual(['run_0001', '4 s before run_0002', 'run_0002', '4 s before run_0003', 'run_0003']);
  expect(wasCancelled).toBe(false);
  expect(outcomes.map(one => 'figures' in one && one.figures.client.get('request_latency_avg'))).toEqual(
    Array(3).fill({ value: 10, unit: 'ms' }),
  );
});

test('a run that was cut says why', async () => {
  const warnings = [{ kind: 'worker_lost', message: 'worker_1 ended early' }];
  const { outcomes } = await executeRuns(
    PLAN,
    context(async ({ label }: PlannedRun) => {
      const { document, ...report } = reportOf([1], 1, { wasCancelled: true });
      const said = label === 'run_0001' ? { load_generator: { tokenizer: 'server', warnings } } : {};
      return { ...report, document: { ...document, ...said } };
    }),
  );
  expect(outcomes.map(one => 'error' in one && one.error)).toEqual([
    'worker_1 ended early',
    'interrupted',
    'interrupted',
  ]);
});

test('a run that fails is none that counts, and the others go on', async () => {
  const errors = [
    { error_details: { code: null, type: 'ConnectionRefused', message: 'nobody there' }, count: 4 },
  ];
  const { outcomes } = await executeRuns(
    PLAN,
    context(async ({ label }: PlannedRun) => {
      if (label === 'run_0001') throw new Error('the disk went away');
      if (label === 'run_0002') {
        const { document, ...report } = reportOf([1], 1, { succeeded: 0, failed: 4 });
        return { ...report, document: { ...document, error_summary: errors } };
      }
      return reportOf([], 1, { succeeded: 0 });
    }),
  );
  expect(outcomes.map(one => 'error' in one && one.error)).toEqual([
    'the disk went away',
    'all 4 requests failed: ConnectionRefused: nobody there',
    'no request was sent',
  ]);
});

test('a mistake in the options ends it at the first run, and only there', async () => {
  const wrong = async (): Promise<never> => {
    throw new RunInputError('--tokenizer: no such file');
  };
  await expect(executeRuns(PLAN, context(wrong))).rejects.toThrow('--tokenizer');
  const { outcomes } = await executeRuns(
    PLAN,
    context(async run => (run.trial === 1 ? wrong() : reportOf([1], 1))),
  );
  expect(outcomes.map(one => 'error' in one)).toEqual([false, true, false]);
});

test('when it is interrupted in a run, that run does not count and no other is begun', async () => {
  const controller = new AbortController();
  const { outcomes, wasCancelled } = await executeRuns(
    PLAN,
    context(
      async ({ trial }) => {
        if (trial === 1) controller.abort();
        return reportOf([1], 1, { wasCancelled: trial === 1 });
      },
      { interrupted: controller.signal },
    ),
  );
  expect(wasCancelled).toBe(true);
  expect(outcomes.map(one => ('error' in one ? one.error : 'good'))).toEqual(['good', 'interrupted']);
});

test('when it is interrupted in a pause, what is complete stays', async () => {
  const controller = new AbortController();
  const { outcomes, wasCancelled } = await executeRuns(
    PLAN,
    context(async () => reportOf([1], 1), {
      interrupted: controller.signal,
      coolDown: async () => controller.abort(),
    }),
  );
  expect(wasCancelled).toBe(true);
  expect(outcomes).toHaveLength(1);
});

test('a run that ended while it was asked to counts, and nothing was cancelled when it was the last', async () => {
  const controller = new AbortController();
  const { outcomes, wasCancelled } = await executeRuns(
    PLAN,
    context(
      async ({ trial }) => {
        if (trial === 2) controller.abort();
        return reportOf([1], 1);
      },
      { interrupted: controller.signal },
    ),
  );
  expect(outcomes).toHaveLength(3);
  expect(wasCancelled).toBe(false);
});
