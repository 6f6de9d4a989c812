import { expect, test } from 'vitest';
import { parseGpuMapEntry } from '../../src/assignment/gpuMap.ts';
import { computeServerEnergies } from '../../src/statistics/serverEnergy.ts';
import { createGpu, createHistory, createWindow, type Samples } from '../support.ts';

const A = 'http://node1:8000/metrics';
const B = 'http://node1:8001/metrics';

/** Samples of a constant power for 10 s. */
const atWatts = (watts: number): Samples => [
  [0, { nvidia_power_usage: watts }],
  [2, { nvidia_power_usage: watts }],
  [4, { nvidia_power_usage: watts }],
  [6, { nvidia_power_usage: watts }],
  [8, { nvidia_power_usage: watts }],
  [10, { nvidia_power_usage: watts }],
];

const history = createHistory([
  [createGpu(0), atWatts(100)],
  [createGpu(1), atWatts(200)],
  [createGpu(2), atWatts(400)],
]);
const options = { history, window: createWindow(0, 10), map: [] };

test('divides the energy among the servers of a map', () => {
  const { servers, notes } = computeServerEnergies({
    ...options,
    outputTokens: new Map([
      [A, 1000],
      [B, 500],
    ]),
    map: [parseGpuMapEntry('node1:8000=0,1')!, parseGpuMapEntry('node1:8001=2')!],
  });
  expect(servers.map(({ url, joules, outputTokens }) => [url, joules, outputTokens])).toEqual([
    [A, 3000, 1000],
    [B, 4000, 500],
  ]);
  expect(notes).toEqual([]);
});

test('gives all energy to the only server', () => {
  const { servers } = computeServerEnergies({ ...options, outputTokens: new Map([[A, 7]]) });
  expect(servers.map(({ url, joules }) => [url, joules])).toEqual([[A, 7000]]);
});

test('does not divide the energy without counts of tokens', () => {
  expect(computeServerEnergies({ ...options, outputTokens: new Map() })).toEqual({
    servers: [],
    notes: ['No server counts its output tokens, so the energy is not divided among servers.'],
  });
});

test('says that MIG instances are not measured', () => {
  const gpu = { ...createGpu(3), hostname: 'node1', migInstances: 2 };
  const { notes } = computeServerEnergies({
    ...options,
    history: createHistory([[gpu, atWatts(50)]]),
    outputTokens: new Map([[A, 1]]),
  });
  expect(notes).toEqual([
    'GPU 3 of node1 is divided into 2 MIG instances, whose energy is not measured: the energy of the whole GPU counts.',
  ]);
});

test('says nothing without GPUs', () => {
  expect(
    computeServerEnergies({ ...options, history: createHistory([]), outputTokens: new Map([[A, 1]]) }),
  ).toEqual({ servers: [], notes: [] });
});
