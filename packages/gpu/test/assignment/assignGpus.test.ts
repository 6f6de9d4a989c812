import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { assignGpus, type LocatedGpu } from '../../src/assignment/assignGpus.ts';
import { type GpuMapEntry, parseGpuMapEntry } from '../../src/assignment/gpuMap.ts';
import { createGpu } from '../support.ts';

/** GPUs of one exporter, as `INDEX` or `HOST/INDEX`. */
function createGpus(source: string, names: readonly string[]): LocatedGpu[] {
  return names.map(name => {
    const [index, host] = name.split('/').reverse();
    return { gpu: { ...createGpu(Number(index)), ...(host ? { hostname: host } : {}) }, source };
  });
}

interface Case {
  readonly gpus: readonly LocatedGpu[];
  readonly servers: readonly string[];
  readonly map?: readonly string[];
  /** Indexes of the GPUs of each server. */
  readonly expected: Readonly<Record<string, readonly number[]>>;
  readonly notes?: readonly RegExp[];
}

const A = 'http://node1:8000/metrics';
const B = 'http://node1:8001/metrics';
const C = 'http://node2:8000/metrics';

test.each<[name: string, Case]>([
  [
    'all GPUs of a host belong to its only server',
    { gpus: createGpus('http://node1:9400/metrics', ['0', '1']), servers: [A, C], expected: { [A]: [0, 1] } },
  ],
  [
    'the label of the host counts, not the address of the exporter',
    {
      gpus: createGpus('http://collector:9400/metrics', ['node2/0', 'node1/1']),
      servers: [A, C],
      expected: { [C]: [0], [A]: [1] },
    },
  ],
  [
    'the address of an exporter counts if the label is another name of its host',
    { gpus: createGpus('http://node1:9400/metrics', ['dgx-07/0']), servers: [A], expected: { [A]: [0] } },
  ],
  [
    'the address of an exporter with GPUs of several hosts does not count',
    {
      gpus: createGpus('http://node1:9400/metrics', ['dgx-07/0', 'dgx-08/0']),
      servers: [A],
      expected: {},
      notes: [/^No server runs on the host of the GPUs of http:\/\/node1:9400\/metrics/],
    },
  ],
  [
    'local commands read the GPUs of servers on this host',
    {
      gpus: createGpus('pynvml://localhost', ['localhost/0']),
      servers: [`http://${hostname()}:8000/metrics`],
      expected: { [`http://${hostname()}:8000/metrics`]: [0] },
    },
  ],
  [
    'GPUs of a host with several servers belong to none of them',
    {
      gpus: createGpus('http://node1:9400/metrics', ['0', '1']),
      servers: [A, B],
      expected: {},
      notes: [
        /^2 servers run on node1, and it is unknown which GPUs each of them uses; --gpu-map assigns them\.$/,
      ],
    },
  ],
  [
    'a map assigns several GPUs to each server of a host',
    {
      gpus: createGpus('http://node1:9400/metrics', ['0', '1', '2', '3']),
      servers: [A, B],
      map: ['node1:8000=0,1', 'node1:8001=2,3'],
      expected: { [A]: [0, 1], [B]: [2, 3] },
    },
  ],
  [
    'a map that gives a GPU to two servers assigns nothing',
    {
      gpus: createGpus('http://node1:9400/metrics', ['0', '1']),
      servers: [A, B],
      map: ['node1:8000=0,1', 'node1:8001=1'],
      expected: {},
      notes: [/^Several servers of --gpu-map have the same GPU/],
    },
  ],
  [
    'a map with a missing GPU and a server without tokens assigns the rest',
    {
      gpus: createGpus('http://node1:9400/metrics', ['0']),
      servers: [A, B],
      map: ['node1:8000=0', 'node1:8001=7', 'node9:1=0'],
      expected: { [A]: [0] },
      notes: [
        /^No GPU matches 7 of node1:8001\.$/,
        /^The server node9:1 of --gpu-map counted no output tokens\.$/,
      ],
    },
  ],
])('%s', (_, { gpus, servers, map = [], expected, notes = [] }) => {
  const entries = map.map(text => parseGpuMapEntry(text) as GpuMapEntry);
  const assigned = assignGpus(gpus, servers, entries);
  const indexes = [...assigned.byServer].map(([url, list]) => [url, list.map(({ gpu }) => gpu.index)]);
  expect(Object.fromEntries(indexes)).toEqual(expected);
  expect(assigned.notes).toHaveLength(notes.length);
  for (const [at, note] of notes.entries()) expect(assigned.notes[at]).toMatch(note);
});
