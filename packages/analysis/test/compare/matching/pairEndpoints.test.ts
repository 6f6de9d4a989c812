import { expect, test } from 'vitest';
import { matchSeries } from '../../../src/compare/matching/matchSeries.ts';
import { pairByTargetLabels } from '../../../src/compare/matching/pairEndpoints.ts';
import { createRunFromView, type Run } from '../../../src/index.ts';
import { createDocument, createMetric, healthyInfo } from '../../documents.ts';
import { createTokens } from '../runs.ts';

type Labels = Readonly<Record<string, string>>;

const listEndpoints = (endpoints: Readonly<Record<string, Labels>>) =>
  Object.entries(endpoints).map(([name, labels]) => ({ name, labels }));

test.each<[string, Record<string, Labels>, Record<string, Labels>, Record<string, string>]>([
  [
    'the pod',
    { a: { pod: 'vllm-0' }, b: { pod: 'vllm-1' } },
    { x: { pod: 'vllm-1' }, y: { pod: 'vllm-0' } },
    { a: 'y', b: 'x' },
  ],
  [
    'labels that do not identify a process or a host',
    { a: { pod: 'p-1', zone: 'west' }, b: { pod: 'p-2', zone: 'east' } },
    { x: { pod: 'q-1', zone: 'east' }, y: { pod: 'q-2', zone: 'west' } },
    { a: 'y', b: 'x' },
  ],
  [
    'the role, in order, if both runs have as many endpoints of it',
    { a: { role: 'decode', rev: '2' }, b: { role: 'prefill', rev: '2' }, c: { role: 'decode', rev: '2' } },
    { x: { role: 'prefill', rev: '1' }, y: { role: 'decode', rev: '1' }, z: { role: 'decode', rev: '1' } },
    { a: 'y', b: 'x', c: 'z' },
  ],
  ['nothing without labels', { a: {} }, { x: {} }, {}],
  ['nothing if the numbers differ', { a: { role: 'r' }, b: { role: 'r' } }, { x: { role: 'r' } }, {}],
])('pairs endpoints by %s', (_, run, first, expected) => {
  expect(Object.fromEntries(pairByTargetLabels(listEndpoints(run), listEndpoints(first)))).toEqual(expected);
});

/** Creates a run with one series per endpoint, with rates of 100, 200, ... */
function createLabelledRun(labels: Readonly<Record<string, Labels>>): Run {
  const series = Object.keys(labels).map((url, i) => createTokens(100 * (i + 1), { url }));
  const infos = Object.entries(labels).map(([url, set]) => [url, { ...healthyInfo, labels: set }]);
  return createRunFromView(
    createDocument({ tokens: createMetric('counter', series) }, Object.fromEntries(infos)),
    'new run',
  );
}

const BASE = createLabelledRun({
  'http://a:1/metrics': { zone: 'west', role: 'decode' },
  'http://b:1/metrics': { zone: 'east', role: 'prefill' },
});
const OTHER = createLabelledRun({
  'http://c:1/metrics': { zone: 'east', role: 'prefill' },
  'http://d:1/metrics': { zone: 'west', role: 'decode' },
});

test('matches the series of endpoints with other URLs by the labels of their targets', () => {
  const { matches } = matchSeries([BASE, OTHER]);
  const rates = [...matches].map(({ values }) => values.map(value => Math.round(value!.stats.rate!)));
  expect(rates).toEqual([
    [100, 200],
    [200, 100],
  ]);
});

test('matches by a label of the targets, across endpoints', () => {
  const { matches } = matchSeries([BASE, OTHER], { by: ['role'] });
  expect([...matches].map(({ labels }) => labels)).toEqual([{ role: 'decode' }, { role: 'prefill' }]);
});
