import { createRunFromView } from '@org/analysis';
import { expect, test } from 'vitest';
import {
  createDocument,
  downInfo,
  healthyInfo,
  URL_A,
  URL_B,
} from '../../../../packages/analysis/test/documents.ts';
import { createScreen } from '../../src/screen.ts';
import { renderHeader } from '../../src/summary/header.ts';
import { CLUSTER, createVllmMetrics } from '../support/summarizedRuns.ts';

const screen = createScreen({ width: 100, color: false });

test.each<[string, object, string]>([
  ['the command, escaped', { cli_command: 'servelens collect\u001b[2J' }, 'servelens collect␛[2J'],
  [
    'the model and the load without a command',
    { endpoint: {}, loadgen: { concurrency: 4 }, model_names: ['m'] },
    'm, concurrency 4',
  ],
])('shows %s', (_, config, expected) => {
  const view = { ...createDocument(createVllmMetrics([URL_A])), input_config: config as never };
  expect(renderHeader(createRunFromView(view, 'a'), screen)[1]).toBe(expected);
});

test('shows the source of an imported run and what it cannot provide', () => {
  const source = { source: 'query_range', url: 'http://p:9090', samples: 12, limitations: ['steps of 15 s'] };
  const view = createDocument(createVllmMetrics([URL_A]), { [URL_A]: healthyInfo }, { import: source });
  expect(renderHeader(createRunFromView(view, 'a'), screen).slice(1, 3)).toEqual([
    'imported from http://p:9090 (range queries, 12 samples)',
    'steps of 15 s',
  ]);
  // The command that imports a run has logged it.
  expect(renderHeader(createRunFromView(view, ''), screen).join()).not.toContain('imported');
});

test('shows the state of each endpoint', () => {
  const infos = { [URL_A]: healthyInfo, [URL_B]: downInfo };
  const run = createRunFromView(createDocument(createVllmMetrics([URL_A]), infos), 'a');
  const lines = renderHeader(run, screen);
  expect(lines[0]).toBe('a  profiling 20 s of 20 s, 8 metrics in 8 series');
  expect(lines).toContainEqual(expect.stringMatching(/^✓ http:\/\/localhost:8000\/metrics {2}60 scrapes, /));
  expect(lines).toContainEqual(expect.stringMatching(/^✗ http:\/\/down:1\/metrics {2}7 failed, no data/));
});

test('if there are many endpoints, lists only endpoints with problems and counts the other endpoints', () => {
  const lines = renderHeader(CLUSTER, screen);
  expect(lines.filter(line => line.includes('http://'))).toHaveLength(1);
  expect(lines).toContain('✓ 12 of 13 endpoints without problems');
});
