import { Random } from '@org/core';
import { describe, expect, test } from 'vitest';
import { Engine } from '../../src/engine/engine.ts';
import type { EngineOptions } from '../../src/engine/options.ts';
import {
  type Request,
  type RequestRecord,
  type RequestSpec,
  toRequestRecord,
} from '../../src/engine/request.ts';
import type { Step } from '../../src/engine/step.ts';
import { DEFAULT_WORKLOAD, drawRequest } from '../../src/traffic/workload.ts';

const request: RequestSpec = { promptTokens: 100, outputTokens: 10, finishReason: 'stop' };

interface ObservedEngine {
  readonly engine: Engine;
  readonly ended: RequestRecord[];
  readonly steps: Step[];
}

function createObservedEngine(options: Partial<EngineOptions> = {}): ObservedEngine {
  const engine = new Engine({ seed: 1, ...options });
  const ended: RequestRecord[] = [];
  const steps: Step[] = [];
  engine.observe({
    onFinished: request => ended.push(toRequestRecord(request)),
    onStep: step => steps.push({ ...step }),
  });
  return { engine, ended, steps };
}

/**
 * Submits random requests to an engine at `rate` requests per second. With `drain`, runs it until all requests
 * have ended.
 */
function runLoad(
  options: Partial<EngineOptions>,
  rate: number,
  seconds: number,
  drain = true,
): ObservedEngine {
  const observed = createObservedEngine(options);
  const random = new Random(77);
  const { maxModelLen } = observed.engine.options;
  for (let at = 0; at < seconds * 1e9; at += Math.ceil(random.exponential(1e9 / rate))) {
    observed.engine.advanceTo(at);
    observed.engine.submit(drawRequest(DEFAULT_WORKLOAD, maxModelLen, random));
  }
  if (drain) observed.engine.advanceTo(1e13);
  return observed;
}

describe('a single request', () => {
  test('is queued, is scheduled, and generates its tokens, in this order', () => {
    const { engine, ended } = createObservedEngine();
    engine.advanceTo(5e9);
    const tokens: number[] = [];
    engine.submit(request, { onToken: (_, atNs) => tokens.push(atNs) });
    engine.advanceTo(6e9);
    const [record] = ended;
    expect(record).toMatchObject({
      arrivalNs: 5e9,
      promptTokens: 100,
      outputTokens: 10,
      finishReason: 'stop',
      preemptions: 0,
    });
    expect(record!.arrivalNs).toBeLessThan(record!.queuedNs);
    expect(record!.queuedNs).toBeLessThan(record!.scheduledNs);
    expect(record!.scheduledNs).toBeLessThan(record!.firstTokenNs);
    expect(tokens).toHaveLength(10);
    expect(tokens[0]).toBe(record!.firstTokenNs);
    expect(tokens.at(-1)).toBe(record!.lastTokenNs);
    expect(record!.finishNs).toBe(record!.lastTokenNs);
    expect(tokens).toEqual(tokens.toSorted((a, b) => a - b));
    expect(engine.nextEventNs).toBe(Number.POSITIVE_INFINITY);
    expect(engine.kvUsage).toBe(0);
  });

  test('without output ends after its prompt', () => {
    const { engine, ended } = createObservedEngine();
    engine.submit({ ...request, outputTokens: 0 });
    engine.advanceTo(1e9);
    expect(ended[0]).toMatchObject({ outputTokens: 0, firstTokenNs: Number.NaN });
    expect(ended[0]!.finishNs).toBeGreaterThan(ended[0]!.scheduledNs);
  });

  test('with a long prompt is computed in chunks', () => {
    const { engine, steps } = createObservedEngine({ maxBatchedTokens: 512 });
    engine.submit({ ...request, promptTokens: 1200, outputTokens: 1 });
    engine.advanceTo(1e9);
    expect(steps.map(({ prefillTokens }) => prefillTokens)).toEqual([512, 512, 176]);
    expect(steps.map(({ generatedTokens }) => generatedTokens)).toEqual([0, 0, 1]);
  });

  test('is faster by the factor `speed`', () => {
    const measureDuration = (speed: number): number => {
      const { engine, ended } = createObservedEngine({
        speed,
        costs: { ...new Engine().options.costs, sigma: 0, interruptProbability: 0 },
      });
      engine.submit(request);
      engine.advanceTo(1e9);
      return ended[0]!.finishNs - ended[0]!.scheduledNs;
    };
    expect(measureDuration(1) / measureDuration(4)).toBeCloseTo(4, 3);
  });
});

describe('many requests', () => {
  test('obey Little’s law: the time integral of their number is the sum of their times in the system', () => {
    const { engine, ended } = runLoad({}, 30, 60);
    const sojourns = ended.reduce((sum, record) => sum + record.finishNs - record.arrivalNs, 0);
    expect(ended.length).toBeGreaterThan(1500);
    expect(engine.occupancyNs / sojourns).toBeCloseTo(1, 9);
  });

  test('are all ended, running or waiting', () => {
    const { engine, ended } = runLoad({ kvBlocks: 700 }, 40, 20, false);
    const aborted = engine.submit(request);
    engine.abort(aborted);
    expect(ended.length + engine.running + engine.waiting).toBe(aborted.id + 1);
    expect(engine.waiting).toBeGreaterThan(0);
  });

  test('never exceed the batch, the token budget or the cache', () => {
    const { engine, steps } = runLoad({ maxRunning: 20, maxBatchedTokens: 600, kvBlocks: 600 }, 40, 15);
    for (const step of steps) {
      expect(step.prefillRequests + step.decodeRequests).toBeLessThanOrEqual(20);
      expect(step.prefillTokens + step.decodeRequests).toBeLessThanOrEqual(600);
      expect(step.contextTokens).toBeLessThanOrEqual(600 * 16 + 20 * 512);
    }
    expect(engine.pool.used).toBe(0);
  });

  test('are preempted if the cache is full, and still generate all tokens', () => {
    const { ended, steps } = runLoad({ kvBlocks: 520 }, 40, 15);
    const preempted = ended.filter(({ preemptions }) => preemptions > 0);
    expect(preempted.length).toBeGreaterThan(10);
    expect(steps.reduce((sum, step) => sum + step.preempted, 0)).toBe(
      ended.reduce((sum, { preemptions }) => sum + preemptions, 0),
    );
    const generated = steps.reduce((sum, step) => sum + step.generatedTokens, 0);
    expect(ended.reduce((sum, { outputTokens }) => sum + outputTokens, 0)).toBe(generated);
  });

  test('hit shared prefixes in the cache, unless it is disabled', () => {
    const countCached = (prefixCaching: boolean): number => {
      const { ended } = runLoad({ prefixCaching }, 20, 10);
      return ended.reduce((sum, { cachedTokens }) => sum + cachedTokens, 0);
    };
    expect(countCached(true)).toBeGreaterThan(10_000);
    expect(countCached(false)).toBe(0);
  });

  test('make decode steps longer', () => {
    const { steps } = runLoad({}, 30, 30);
    const computeMeanNs = (matches: (step: Step) => boolean): number => {
      const durations = steps
        .filter(step => step.prefillTokens === 0 && matches(step))
        .map(step => step.endNs - step.startNs);
      return durations.reduce((sum, duration) => sum + duration, 0) / durations.length;
    };
    expect(computeMeanNs(step => step.decodeRequests > 40)).toBeGreaterThan(
      1.15 * computeMeanNs(step => step.decodeRequests < 10),
    );
  });

  test('have the same end times only for the same seed', () => {
    const listEnds = (seed: number): number[] =>
      runLoad({ seed }, 20, 5).ended.map(({ finishNs }) => finishNs);
    expect(listEnds(3)).toEqual(listEnds(3));
    expect(listEnds(3)).not.toEqual(listEnds(4));
  });

  test('do not depend on the step width of advanceTo', () => {
    const run = (stepNs: number): number[] => {
      const { engine, ended } = createObservedEngine();
      for (let i = 0; i < 30; i++) engine.submit({ ...request, promptTokens: 50 + i });
      for (let at = stepNs; at <= 4e9; at += stepNs) engine.advanceTo(at);
      return ended.map(({ finishNs }) => finishNs);
    };
    expect(run(4e9)).toEqual(run(1e7));
  });
});

describe('abort', () => {
  const abortAfter = (ns: number): { record: RequestRecord; engine: Engine } => {
    const { engine, ended } = createObservedEngine();
    const submitted = engine.submit({ ...request, outputTokens: 500 });
    engine.advanceTo(ns);
    engine.abort(submitted);
    engine.abort(submitted);
    engine.advanceTo(ns + 1e9);
    expect(ended).toHaveLength(1);
    return { record: ended[0]!, engine };
  };

  test('removes a waiting request immediately', () => {
    const { record } = abortAfter(1000);
    expect(record).toMatchObject({ finishReason: 'abort', outputTokens: 0, finishNs: 1000, queuedNs: 1000 });
    expect(record.scheduledNs).toBeNaN();
  });

  test('removes a running request at the end of the step', () => {
    const { record, engine } = abortAfter(1e9);
    expect(record.finishReason).toBe('abort');
    expect(record.outputTokens).toBeGreaterThan(50);
    expect(record.finishNs).toBeGreaterThan(1e9);
    expect(record.finishNs).toBeLessThan(1.1e9);
    expect(engine.pool.used).toBe(0);
  });

  test('ignores ended requests and requests of other engines', () => {
    const { engine, ended } = createObservedEngine();
    const submitted = engine.submit(request);
    const foreign: Request = new Engine().submit(request);
    engine.advanceTo(1e9);
    engine.abort(submitted);
    engine.abort(foreign);
    expect(ended).toMatchObject([{ finishReason: 'stop' }]);
  });
});

describe('invalid calls throw', () => {
  test('submit with a request that has no prompt tokens', () => {
    expect(() => new Engine().submit({ ...request, promptTokens: 0 })).toThrow('promptTokens is 0');
  });

  test('options that contradict each other', () => {
    expect(() => new Engine({ kvBlocks: 100 })).toThrow(
      'cannot hold one request with the context length of 8192 tokens',
    );
  });

  test('advanceTo with an earlier time or NaN', () => {
    const engine = new Engine();
    engine.advanceTo(5);
    expect(() => engine.advanceTo(4)).toThrow('from 5 ns to 4 ns');
    expect(() => engine.advanceTo(Number.NaN)).toThrow('NaN');
  });
});
