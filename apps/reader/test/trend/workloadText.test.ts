import type { TrendGroup } from '@org/analysis';
import { expect, test } from 'vitest';
import { formatWorkload } from '../../src/trend/workloadText.ts';

const createGroup = (workload: Readonly<Record<string, string>>): TrendGroup =>
  ({ workload: new Map(Object.entries(workload)) }) as unknown as TrendGroup;

const PAPER = {
  model: 'm',
  rate: '6 requests/s',
  type: 'poisson',
  'prompts.isl.mean': '200',
  'prompts.osl.mean': '60',
  duration: '25 s',
  'tokenizer.name': 'a',
};

test.each([
  ['options in words', [PAPER], 'm · 6 requests/s (Poisson) · 200 tokens in · 60 tokens out · 25 s'],
  [
    'a fixed concurrency',
    [{ model: 'm', concurrency: '8', type: 'concurrency' }],
    'm · 8 concurrent requests',
  ],
  ['no options', [{}], 'unknown workload'],
  ['options without words that are equal in all groups', [{ entries: '5' }], 'the same workload'],
  [
    'other options that differ between groups',
    [PAPER, { ...PAPER, 'tokenizer.name': 'b', entries: '5' }],
    'm · 6 requests/s (Poisson) · 200 tokens in · 60 tokens out · 25 s · tokenizer.name a · entries not set',
  ],
])('describes %s', (_, workloads, text) => {
  const groups = workloads.map(createGroup);
  expect(formatWorkload(groups[0]!, groups)).toBe(text);
});
