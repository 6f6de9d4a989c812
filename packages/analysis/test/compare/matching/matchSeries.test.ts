import { expect, test } from 'vitest';
import { type MatchOptions, matchSeries } from '../../../src/compare/matching/matchSeries.ts';
import type { Run } from '../../../src/index.ts';
import { createGauge, createMetric, URL_A, URL_B } from '../../documents.ts';
import { createTestRun, createTokens } from '../runs.ts';

type Labels = Readonly<Record<string, string>>;

/** Creates a run with one series per set of labels, on one endpoint. */
function createLabelledRun(labels: Labels | readonly Labels[], url = URL_A): Run {
  const series = [labels].flat().map(set => createTokens(100, { labels: set, url }));
  return createTestRun({ 'vllm:generation_tokens': createMetric('counter', series) }, [url]);
}

/** Creates a run with one series per endpoint, with rates of 100, 200, ... */
function createEndpointRun(...urls: readonly string[]): Run {
  const series = urls.map((url, i) => createTokens(100 * (i + 1), { url }));
  return createTestRun({ 'vllm:generation_tokens': createMetric('counter', series) }, urls);
}

/** Matches the series of runs, and lists all matches. */
function listMatches(...args: Parameters<typeof matchSeries>) {
  const { matches, notes } = matchSeries(...args);
  return { matches: [...matches], notes };
}

/** Counts the matches with a series in both runs. */
function countMatches(base: Run, other: Run, options: MatchOptions): number {
  return listMatches([base, other], options).matches.filter(({ values }) => values.every(Boolean)).length;
}

test.each<[string, Run, Run, MatchOptions, number]>([
  ['equal labels', createLabelledRun({ model: 'a' }), createLabelledRun({ model: 'a' }), {}, 1],
  ['different labels', createLabelledRun({ model: 'a' }), createLabelledRun({ model: 'b' }), {}, 0],
  [
    'an ignored label',
    createLabelledRun({ model: 'a' }),
    createLabelledRun({ model: 'b' }),
    { ignoreLabels: ['model'] },
    1,
  ],
  [
    'one endpoint each, with different names',
    createLabelledRun({}, 'http://a:1/metrics'),
    createLabelledRun({}, 'http://b:2/metrics'),
    {},
    1,
  ],
  [
    'labels that identify a process',
    createLabelledRun({ pid: '1', model: 'a' }),
    createLabelledRun({ pid: '2', model: 'a' }),
    {},
    1,
  ],
  [
    'chosen labels only',
    createLabelledRun({ rank: '0', model: 'a' }),
    createLabelledRun({ rank: '1', model: 'a' }),
    { by: ['model'] },
    1,
  ],
  [
    'values whose joined text is equal',
    createLabelledRun({ a: '1', b: '2' }),
    createLabelledRun({ a: '1,b=1:2', b: '' }),
    {},
    0,
  ],
  [
    'label sets of different sizes',
    createLabelledRun([{ a: '1' }, { a: '1', b: '2' }, {}]),
    createLabelledRun([{}, { a: '1', b: '2' }, { a: '1' }]),
    {},
    3,
  ],
])('matches by labels: %s', (_, base, other, options, count) => {
  expect(countMatches(base, other, options)).toBe(count);
});

test('notes an ignored process label', () => {
  const { notes } = listMatches([createLabelledRun({ pid: '1' }), createLabelledRun({ pid: '2' })]);
  expect(notes).toEqual(['label pid differs between runs and is ignored']);
});

test('keeps a process label whose values are equal', () => {
  const runs = [createLabelledRun({ pid: '1' }), createLabelledRun({ pid: '1' })];
  const { matches, notes } = listMatches(runs);
  expect([matches[0]!.labels, notes]).toEqual([{ pid: '1' }, []]);
});

test('pairs renamed endpoints in order, with a note for each pair', () => {
  const { matches, notes } = listMatches([
    createEndpointRun('http://x:1/metrics', 'http://x:2/metrics'),
    createEndpointRun('http://x:3/metrics', 'http://x:4/metrics'),
  ]);
  expect(matches.map(({ values }) => values.map(entry => entry?.stats.rate))).toEqual([
    [100, 100],
    [200, 200],
  ]);
  expect(notes).toEqual([
    'endpoint x:3 is compared with x:1, by position',
    'endpoint x:4 is compared with x:2, by position',
  ]);
});

test('summarizes many renamed endpoints in one note', () => {
  const listUrls = (host: string): string[] =>
    Array.from({ length: 6 }, (_, i) => `http://${host}:${i + 1}/metrics`);
  const { notes } = listMatches([createEndpointRun(...listUrls('a')), createEndpointRun(...listUrls('b'))]);
  expect(notes).toEqual(['6 endpoints have different names in run; they are compared in order']);
});

test('pairs endpoints by name if their number differs', () => {
  const { matches } = listMatches([createEndpointRun(URL_A), createEndpointRun(URL_A, URL_B)]);
  expect(
    matches.map(({ labels, values }) => [labels.endpoint_url, values.map(entry => entry !== undefined)]),
  ).toEqual([
    ['localhost:8000', [true, true]],
    ['down:1', [false, true]],
  ]);
});

test('skips metrics that identify a process', () => {
  const run = createTestRun({
    'vllm:cache_config_info': createMetric('gauge', [createGauge(1)]),
    process_start_time_seconds: createMetric('gauge', [createGauge(1)]),
    requests_created: createMetric('gauge', [createGauge(1)]),
  });
  expect(listMatches([run, run]).matches).toEqual([]);
});

test('combines series of the same run that match', () => {
  const run = createLabelledRun([{ rank: '0' }, { rank: '1' }]);
  const { matches } = listMatches([run, createLabelledRun({ rank: '0' })], { ignoreLabels: ['rank'] });
  expect(matches.map(({ values }) => values.map(entry => entry?.seriesCount))).toEqual([[2, 1]]);
});

test('combines only series that count each request once', () => {
  const priorities = ['', '1', '2'];
  const createQueue = (size: number): Run =>
    createTestRun({
      'sglang:num_queue_reqs': createMetric(
        'gauge',
        priorities.flatMap(priority =>
          ['0', '1'].map(rank => createGauge(size, { labels: { priority, tp_rank: rank } })),
        ),
      ),
    });
  const [match, ...others] = listMatches([createQueue(4), createQueue(6)], {
    ignoreLabels: ['priority', 'tp_rank'],
  }).matches;
  expect(others).toEqual([]);
  expect(match!.values.map(values => values!.stats.avg)).toEqual([4, 6]);
});
