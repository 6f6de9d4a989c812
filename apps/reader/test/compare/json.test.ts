import { compareRuns } from '@org/analysis';
import { expect, test } from 'vitest';
import { buildComparisonDocument } from '../../src/compare/json.ts';
import { compareHostileRuns, compareRenamedModels, createModelRun } from '../support/comparedRuns.ts';

test('contains the method, the counts and all rows', () => {
  expect(buildComparisonDocument(compareHostileRuns())).toMatchObject({
    counts: { worse: 1, better: 0, only_base: 0 },
    method: { test: 'welch', correction: 'bh', alpha: 0.05, tested: 2 },
    rows: [
      {
        metric: 'vllm:generation_tokens',
        labels: { engine: '0' },
        stat: 'rate',
        verdict: 'worse',
        better: 'higher',
        change: -0.5,
        noise_from: { base: 'slices', new: 'slices' },
      },
      { verdict: expect.any(String) },
    ],
    hint: null,
  });
});

test('lists unmatched series, with a hint that matches them', () => {
  expect(buildComparisonDocument(compareRenamedModels())).toMatchObject({
    counts: { only_base: 1, only_new: 1 },
    hint: {
      text: expect.stringContaining('to compare them: --ignore-label model'),
      ignore_labels: ['model'],
      series: 2,
    },
    only_base: [{ name: 'vllm:generation_tokens', labels: { model: 'a' } }],
  });
});

test('contains the values of repeated runs', () => {
  const runs = [90, 100, 110].map(rate => createModelRun(rate, 'a'));
  expect(buildComparisonDocument(compareRuns(runs, runs.slice(0, 2)))).toMatchObject({
    rows: [{ runs: { base: [90, 100, 110], new: [90, 100] }, noise_from: { base: 'runs' } }],
  });
});
