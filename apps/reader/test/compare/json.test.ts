import { compareRuns, createRunFromView } from '@org/analysis';
import { expect, test } from 'vitest';
import {
  createDocument,
  healthyInfo,
  SECOND_NS,
  START_NS,
  URL_A,
} from '../../../../packages/analysis/test/documents.ts';
import { buildComparisonDocument } from '../../src/compare/json.ts';
import { renderComparisonMarkdown } from '../../src/compare/markdown.ts';
import { renderComparisonScreen } from '../../src/compare/screen.ts';
import { createScreen } from '../../src/screen.ts';
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

test('names a dead server in the first lines of all forms', () => {
  const deadInfo = {
    ...healthyInfo,
    status: 'failing',
    last_fetch_ns: START_NS + 7n * SECOND_NS,
    last_failure_ns: START_NS + 20n * SECOND_NS,
    outages: [{ start_ns: START_NS + 8n * SECOND_NS, scrapes: 39, reason: 'refused', message: 'refused' }],
  };
  const [base, dead] = [healthyInfo, deadInfo].map((info, index) =>
    createRunFromView(createDocument({}, { [URL_A]: info }), `run ${index}`),
  );
  const comparison = compareRuns([base!], [dead!]);
  const text = 'run 1: localhost:8000 stopped responding after 7 s and did not recover';
  expect(buildComparisonDocument(comparison)).toMatchObject({ dead_servers: [text] });
  const screen = createScreen({ width: 100, color: false });
  expect(renderComparisonScreen(comparison, false, screen).split('\n')[1]).toBe(text);
  expect(renderComparisonMarkdown(comparison, false).split('\n\n')[2]).toBe(`**${text}**`);
});
