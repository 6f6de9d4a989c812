import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { RequestSpec } from '../../src/engine/request.ts';
import { LiveSimulation } from '../../src/server/liveSimulation.ts';
import { Simulation } from '../../src/simulation.ts';
import { waitUntil } from '../support/server.ts';

const spec: RequestSpec = { promptTokens: 10, outputTokens: 3, finishReason: 'length' };

function createLive(options: ConstructorParameters<typeof Simulation>[0] = {}): LiveSimulation {
  const live = new LiveSimulation(new Simulation({ seed: 1, speed: 20, ...options }));
  onTestFinished(() => live.stop());
  return live;
}

test('does not advance before it is started or after it is stopped', async () => {
  const live = createLive();
  await sleep(5);
  live.catchUp();
  expect([live.isRunning, live.simulation.nowNs]).toEqual([false, 0]);
  live.start();
  expect(live.isRunning).toBe(true);
  live.stop();
  const { nowNs } = live.simulation;
  await sleep(5);
  live.catchUp();
  expect(live.simulation.nowNs).toBe(nowNs);
});

test('continues from the current simulated time, at the speed of real time', async () => {
  const live = createLive();
  live.simulation.advanceTo(60e9);
  const startMs = performance.now();
  live.start();
  await sleep(30);
  live.catchUp();
  const passedNs = live.simulation.nowNs - 60e9;
  expect(passedNs).toBeGreaterThan(25e6);
  expect(passedNs).toBeLessThanOrEqual((performance.now() - startMs) * 1e6);
});

test('processes events when they are due, without a call of catchUp', async () => {
  const live = createLive();
  live.start();
  const tokens: number[] = [];
  let isFinished = false;
  live.submit(spec, {
    onToken: (index, atNs) => {
      tokens.push(index);
      // The simulation is never ahead of real time.
      expect(atNs).toBeLessThanOrEqual(live.realTimeNs);
    },
    onFinished: () => {
      isFinished = true;
    },
  });
  await waitUntil(() => isFinished);
  expect(tokens).toEqual([0, 1, 2]);
});

test('aborts a request', () => {
  const live = createLive({ speed: 0.01 });
  live.start();
  const request = live.submit({ ...spec, outputTokens: 1000 }, {});
  live.abort(request);
  expect(request).toMatchObject({ finishReason: 'abort', generated: 0 });
});

test('a restart discards the requests of the server', () => {
  const live = createLive({ speed: 0.01 });
  live.start();
  live.submit(spec, {});
  expect(live.simulation.engines[0]!.waiting).toBe(1);
  live.restart();
  expect(live.simulation.engines[0]!.waiting).toBe(0);
});
