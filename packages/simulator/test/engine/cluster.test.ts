import { Random } from '@org/core';
import { expect, test } from 'vitest';
import { Cluster } from '../../src/engine/cluster.ts';
import { Engine } from '../../src/engine/engine.ts';
import type { Request } from '../../src/engine/request.ts';
import { createConstantLoad } from '../../src/traffic/load.ts';
import { Traffic } from '../../src/traffic/traffic.ts';
import { DEFAULT_WORKLOAD } from '../../src/traffic/workload.ts';

const request = { promptTokens: 10, outputTokens: 50, finishReason: 'stop' } as const;

test('distributes requests evenly', () => {
  const cluster = new Cluster([0, 1, 2].map(index => new Engine({ index })));
  const engines = Array.from({ length: 9 }, () => cluster.submit(request).engine);
  expect(engines.filter(engine => engine === 0)).toHaveLength(3);
  expect(engines.filter(engine => engine === 1)).toHaveLength(3);
});

test('sends requests to the least busy engine', () => {
  const engines = [0, 1].map(index => new Engine({ index }));
  for (let i = 0; i < 5; i++) engines[0]!.submit(request);
  const cluster = new Cluster(engines);
  expect([1, 2, 3, 4].map(() => cluster.submit(request).engine)).toEqual([1, 1, 1, 1]);
});

test('traffic does not depend on the step width of advanceTo', () => {
  const collectArrivals = (stepNs: number): Request[] => {
    const arrived: Request[] = [];
    const engines = [0, 1].map(index => new Engine({ index }));
    for (const engine of engines) engine.observe({ onArrival: request => arrived.push(request) });
    const cluster = new Cluster(
      engines,
      new Traffic(createConstantLoad(20), DEFAULT_WORKLOAD, 8192, new Random(1)),
    );
    for (let timeNs = stepNs; timeNs <= 10e9; timeNs += stepNs) cluster.advanceTo(timeNs);
    return arrived;
  };
  const requests = collectArrivals(1e7);
  expect(requests.length).toBeGreaterThan(150);
  expect(
    collectArrivals(10e9).map(({ engine, arrivalNs, finishNs }) => [engine, arrivalNs, finishNs]),
  ).toEqual(requests.map(({ engine, arrivalNs, finishNs }) => [engine, arrivalNs, finishNs]));
});

test('aborts requests whose clients disconnect', () => {
  const engine = new Engine();
  const reasons: (string | undefined)[] = [];
  engine.observe({ onFinished: ({ finishReason }) => reasons.push(finishReason) });
  const workload = {
    ...DEFAULT_WORKLOAD,
    abortShare: 0.5,
    abortAfterS: { kind: 'constant', value: 0.05 },
  } as const;
  const cluster = new Cluster([engine], new Traffic(createConstantLoad(20), workload, 8192, new Random(1)));
  cluster.advanceTo(20e9);
  const aborted = reasons.filter(reason => reason === 'abort').length;
  expect(aborted / reasons.length).toBeGreaterThan(0.35);
  expect(aborted / reasons.length).toBeLessThan(0.65);
});

test('throws without engines', () => {
  expect(() => new Cluster([])).toThrow('0 engines');
});
