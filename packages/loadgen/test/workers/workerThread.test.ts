import type { Worker } from 'node:worker_threads';
import { openWorkers, ThreadError } from '@org/loadgen';
import { expect, onTestFinished, test } from 'vitest';
import { clock } from '../support/load.ts';
import { MODEL } from '../support/simulator.ts';
import { SYNTHETIC } from '../support/workers.ts';

test('openWorkers rejects if a thread exits before it is ready', async () => {
  const onWorker = (worker: Worker): void => void worker.terminate();
  process.on('worker', onWorker);
  onTestFinished(() => void process.off('worker', onWorker));
  const opening = openWorkers({
    workers: 2,
    clock,
    inputs: SYNTHETIC,
    target: { urls: ['http://localhost:1'], model: MODEL, streaming: true },
    profiling: { concurrency: 1, requestCount: 1 },
  });
  await expect(opening).rejects.toThrow(/^worker_[01] failed to start: exited with code \d$/);
  await expect(opening).rejects.toBeInstanceOf(ThreadError);
});
