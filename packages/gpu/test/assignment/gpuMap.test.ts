import { expect, test } from 'vitest';
import { formatGpuMapEntry, isServerOf, parseGpuMapEntry } from '../../src/assignment/gpuMap.ts';

test.each<[text: string, server: string, gpus: readonly string[]]>([
  ['localhost:8000=0', 'localhost:8000', ['0']],
  ['http://node1:8000/metrics=0,1', 'node1:8000', ['0', '1']],
  ['NODE1:8000=node1/0, GPU-8f6c', 'node1:8000', ['node1/0', 'GPU-8f6c']],
  ['[::1]:8000=3', '[::1]:8000', ['3']],
  ['https://node1=2', 'node1', ['2']],
])('parses %j', (text, server, gpus) => {
  const entry = parseGpuMapEntry(text)!;
  expect(entry).toEqual({ server, gpus });
  expect(parseGpuMapEntry(formatGpuMapEntry(entry))).toEqual(entry);
});

test.each(['', 'localhost:8000', 'localhost:8000=', '=0', 'localhost:8000=0,', 'localhost:8000=x', 'a b=0'])(
  'rejects %j',
  text => {
    expect(parseGpuMapEntry(text)).toBeUndefined();
  },
);

test('an entry belongs to the URLs with its host and port', () => {
  const entry = parseGpuMapEntry('node1:8000=0')!;
  expect(isServerOf(entry, 'http://node1:8000/metrics')).toBe(true);
  expect(isServerOf(entry, 'http://node1:8001/metrics')).toBe(false);
  expect(isServerOf(entry, 'http://node2:8000/metrics')).toBe(false);
});
