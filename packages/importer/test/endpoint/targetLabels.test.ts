import { expect, it } from 'vitest';
import { findTargetLabels, toServerLabels } from '../../src/endpoint/targetLabels.ts';

const UP = [
  ['__name__', 'up'],
  ['instance', 'a:80'],
  ['job', 'vllm'],
  ['pod', 'p1'],
] as const;

it('takes the labels of a target from up', () => {
  expect(Object.fromEntries(findTargetLabels(UP, 'vllm', 'a:80'))).toEqual({
    instance: 'a:80',
    job: 'vllm',
    pod: 'p1',
  });
});

it('knows only job and instance without up', () => {
  expect(Object.fromEntries(findTargetLabels(undefined, 'vllm', ''))).toEqual({ job: 'vllm' });
});

it('restores the labels of the server', () => {
  const labels = [
    ['__name__', 'requests_total'],
    ['exported_instance', 'own'],
    ['exported_model', 'm'],
    ['instance', 'a:80'],
    ['job', 'vllm'],
    ['model', 'x'],
    ['pod', 'other'],
  ] as const;
  expect(toServerLabels(labels, findTargetLabels(UP, '', ''))).toEqual([
    ['instance', 'own'],
    ['exported_model', 'm'],
    ['model', 'x'],
    ['pod', 'other'],
  ]);
});
