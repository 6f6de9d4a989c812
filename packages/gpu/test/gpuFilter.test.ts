import { expect, test } from 'vitest';
import { isGpuItem, isSelected } from '../src/gpuFilter.ts';

const GPU = {
  index: 1,
  uuid: 'GPU-8f6c0a11-22',
  model: 'm',
  platform: 'nvidia',
  hostname: 'node1',
} as const;

test.each<[items: string[], selected: boolean]>([
  [[], true],
  [['1'], true],
  [['0', '1'], true],
  [['0'], false],
  [['11'], false],
  [['node1/1'], true],
  [['node2/1'], false],
  [['node1/0'], false],
  [['GPU-8f6c'], true],
  [['gpu-8F6C0A11-22'], true],
  [['GPU-8f6d'], false],
])('%j: %s', (items, selected) => {
  expect(isSelected(GPU, items)).toBe(selected);
});

test.each(['0', '12', 'node1/0', 'node-1.local/3', 'GPU-8f6c'])('%s is a valid item', item => {
  expect(isGpuItem(item)).toBe(true);
});

test.each(['', 'a', '-1', 'node1/', '/0', 'a b/1', '1.5'])('%j is not a valid item', item => {
  expect(isGpuItem(item)).toBe(false);
});
