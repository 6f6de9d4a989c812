import { describe, expect, test } from 'vitest';
import { DEFAULT_ENGINE_OPTIONS, type EngineOptions } from '../../src/engine/options.ts';
import { createRequest, type Request } from '../../src/engine/request.ts';
import { Scheduler } from '../../src/engine/scheduler.ts';
import { createStep, type Step } from '../../src/engine/step.ts';

/** Creates a scheduler. `events` lists the requests that it admits and preempts. */
function createScheduler(options: Partial<EngineOptions> = {}) {
  const events: string[] = [];
  const scheduler = new Scheduler(
    { ...DEFAULT_ENGINE_OPTIONS, prefixCaching: false, ...options },
    {
      onScheduled: ({ id }) => events.push(`admit ${id}`),
      onPreempted: ({ id }) => events.push(`preempt ${id}`),
      onEvicted: () => {},
    },
    () => 0,
  );
  const requests: Request[] = [];
  const enqueue = (promptTokens: number): Request => {
    const spec = { promptTokens, outputTokens: 100, finishReason: 'stop' } as const;
    const request = createRequest(requests.length, 0, spec, 0, undefined);
    requests.push(request);
    scheduler.enqueue(request);
    return request;
  };
  /** Runs one step. Requests whose prompt is computed generate a token. */
  const runStep = (nowNs = 0): Step => {
    const step = createStep();
    scheduler.schedule(step, nowNs);
    for (const request of scheduler.running) {
      request.computed += request.stepTokens;
      if (request.stepTokens > 0 && request.computed === request.spec.promptTokens + request.generated)
        request.generated += 1;
    }
    return step;
  };
  return { scheduler, events, enqueue, runStep };
}

const listIds = ({ running }: Scheduler): number[] => running.map(({ id }) => id);

test('admits requests in order, up to the size of the batch', () => {
  const { scheduler, enqueue, runStep } = createScheduler({ maxRunning: 2 });
  for (let n = 0; n < 3; n++) enqueue(10);
  expect(runStep(500)).toMatchObject({ admitted: 2, prefillRequests: 2, prefillTokens: 20 });
  expect([listIds(scheduler), scheduler.waiting]).toEqual([[0, 1], 1]);
  expect(scheduler.running.map(({ scheduledNs }) => scheduledNs)).toEqual([500, 500]);
});

test('admits the next request after a running request has ended', () => {
  const { scheduler, enqueue, runStep } = createScheduler({ maxRunning: 1 });
  const first = enqueue(10);
  enqueue(10);
  runStep();
  scheduler.pool.release(first);
  first.finishReason = 'stop';
  scheduler.removeFinished();
  runStep();
  expect(listIds(scheduler)).toEqual([1]);
});

test('computes a long prompt in chunks, after the tokens of running requests', () => {
  const { enqueue, runStep } = createScheduler({ maxBatchedTokens: 64 });
  enqueue(10);
  runStep();
  enqueue(100);
  const steps = [runStep(), runStep(), runStep()];
  expect(steps.map(({ prefillTokens, decodeRequests }) => [prefillTokens, decodeRequests])).toEqual([
    [63, 1],
    [37, 1],
    [0, 2],
  ]);
});

test('admits no request that does not fit into the cache', () => {
  const { scheduler, enqueue, runStep } = createScheduler({ kvBlocks: 4, blockSize: 16, maxModelLen: 64 });
  enqueue(40);
  enqueue(20);
  runStep();
  expect([listIds(scheduler), scheduler.waiting, scheduler.pool.used]).toEqual([[0], 1, 3]);
});

describe('a full cache', () => {
  test('preempts the request that was admitted last, and recomputes it later', () => {
    const { scheduler, events, enqueue, runStep } = createScheduler({
      kvBlocks: 4,
      blockSize: 16,
      maxModelLen: 64,
    });
    const [first, last] = [enqueue(31), enqueue(32)];
    // The first step computes the prompts and fills the cache; the second step needs a block for the last request.
    runStep();
    const step = runStep();
    expect(step).toMatchObject({ preempted: 1, admitted: 0, decodeRequests: 1 });
    expect(events).toEqual(['admit 0', 'admit 1', 'preempt 1']);
    expect([listIds(scheduler), scheduler.waiting]).toEqual([[0], 1]);
    expect(last).toMatchObject({ computed: 0, generated: 1, preemptions: 1, blocks: 0 });
    scheduler.pool.release(first);
    first.finishReason = 'stop';
    scheduler.removeFinished();
    expect(runStep()).toMatchObject({ admitted: 0, prefillTokens: 33 });
  });
});

test('removeWaiting removes a waiting request, but not a running one', () => {
  const { scheduler, enqueue, runStep } = createScheduler({ maxRunning: 1 });
  const [running, waiting] = [enqueue(10), enqueue(10)];
  runStep();
  expect([scheduler.removeWaiting(waiting), scheduler.removeWaiting(running)]).toEqual([true, false]);
  expect([listIds(scheduler), scheduler.waiting]).toEqual([[0], 0]);
});
