import { expect, test } from 'vitest';
import { Cluster } from '../../src/engine/cluster.ts';
import { createEngine } from '../../src/engine/engine.ts';
import type { Request } from '../../src/engine/request.ts';
import { constantLoad } from '../../src/load.ts';
import { Random } from '../../src/random.ts';
import { defaultWorkload, Traffic } from '../../src/traffic.ts';

const request = { promptTokens: 10, outputTokens: 50, finishReason: 'stop' } as const;

test('requests spread over the engines evenly', () => {
  const cluster = new Cluster([0, 1, 2].map(index => createEngine({ index })));
  const engines = Array.from({ length: 9 }, () => cluster.submit(request).engine);
  expect(engines.filter(engine => engine === 0)).toHaveLength(3);
  expect(engines.filter(engine => engine === 1)).toHaveLength(3);
});

test('a request goes where there is least to do', () => {
  const engines = [0, 1].map(index => createEngine({ index }));
  for (let i = 0; i < 5; i++) engines[0]!.submit(request);
  const cluster = new Cluster(engines);
  expect([1, 2, 3, 4].map(() => cluster.submit(request).engine)).toEqual([1, 1, 1, 1]);
});

test('traffic arrives when it should, in one stride or in many', () => {
  const run = (stride: number): Request[] => {
    const arrived: Request[] = [];
    const engines = [0, 1].map(index => createEngine({ index }));
    for (const engine of engines) engine.observe({ arrived: one => arrived.push(one) });
    const cluster = new Cluster(engines, new Traffic(constantLoad(20), defaultWorkload, 8192, new Random(1)));
    for (let at = stride; at <= 10e9; at += stride) cluster.advanceTo(at);
    return arrived;
  };
  const often = run(1e7);
  expect(often.length).toBeGreaterThan(150);
  expect(run(10e9).map(one => [one.engine, one.arrivalNs, one.finishNs])).toEqual(
    often.map(one => [one.engine, one.arrivalNs, one.finishNs]),
  );
});

test('impatient clients hang up', () => {
  const engine = createEngine();
  const reasons: (string | undefined)[] = [];
  engine.observe({ finished: one => reasons.push(one.finishReason) });
  const workload = {
    ...defaultWorkload,
    abortShare: 0.5,
    patienceS: { kind: 'constant', value: 0.05 },
  } as const;
  const cluster = new Cluster([engine], new Traffic(constantLoad(20), workload, 8192, new Random(1)));
  cluster.advanceTo(20e9);
  const aborted = reasons.filter(reason => reason === 'abort').length;
  expect(aborted / reasons.length).toBeGreaterThan(0.35);
  expect(aborted / reasons.length).toBeLessThan(0.65);
});

test('a cluster needs an engine', () => {
  expect(() => new Cluster([])).toThrow('0 engines');
});
