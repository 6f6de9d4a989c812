import { expect, test } from 'vitest';
import { createCounter, createGauge, createHistogram, createMetric, createSlices } from '../../documents.ts';
import { compareRows, createClientRun, createTestRun, createTokens, varySlices } from '../runs.ts';

const createLatencies = (avg: number): object =>
  createMetric('histogram', [createHistogram(500, avg, { slices: varySlices(avg) })], 'seconds');

const createMixedRun = (tokens: number, waiting: number, latency: number, other: number) =>
  createTestRun({
    'vllm:num_requests_waiting': createMetric('gauge', [
      createGauge(waiting, { slices: varySlices(waiting) }),
    ]),
    'vllm:e2e_request_latency_seconds': createLatencies(latency),
    'vllm:num_preemptions': createMetric('counter', [createCounter(0, { slices: varySlices(0) })]),
    'other:request_latency_seconds': createLatencies(other),
    'vllm:generation_tokens': createMetric('counter', [createTokens(tokens)], 'tokens'),
  });

test('sorts by verdict, then key metrics, then the size of the change', () => {
  const rows = compareRows(createMixedRun(1000, 10, 2, 1), createMixedRun(900, 40, 1, 9), {
    stats: ['avg', 'rate'],
  });
  expect(
    rows
      .filter(({ stat, type }) => (type === 'counter' ? stat === 'rate' : true))
      .map(row => [row.name, row.verdict, row.isKey]),
  ).toEqual([
    ['vllm:generation_tokens', 'worse', true],
    ['other:request_latency_seconds', 'worse', false],
    ['vllm:e2e_request_latency_seconds', 'better', true],
    ['vllm:num_requests_waiting', 'changed', true],
    ['vllm:num_preemptions', 'unchanged', true],
  ]);
});

test('computes the change and the noise floor as fractions of the base', () => {
  const [row] = compareRows(createMixedRun(1000, 1, 1, 1), createMixedRun(500, 1, 1, 1), {
    metrics: ['generation_tokens'],
  });
  expect(row).toMatchObject({ base: 1000, new: 500, change: -0.5, unit: 'tokens', better: 'higher' });
  expect(row!.noise).toBeGreaterThan(0);
  expect(row!.noise).toBeLessThan(0.05);
});

test.each<[string, object[], object[]]>([
  [
    'omits a label with one value',
    [
      { model: 'a', engine: '0' },
      { model: 'b', engine: '0' },
    ],
    [{ model: 'a' }, { model: 'b' }],
  ],
  ['keeps a label that not all series have', [{ engine: '0' }, {}], [{ engine: '0' }, {}]],
  ['omits all labels of a single series', [{ model: 'a' }], [{}]],
])('finds distinguishing labels: %s', (_, labelSets, expected) => {
  const run = createTestRun({
    'vllm:generation_tokens': createMetric(
      'counter',
      labelSets.map(labels => createTokens(100, { labels })),
    ),
  });
  const rows = compareRows(run, run).filter(({ type }) => type === 'counter');
  expect(rows.map(({ distinguishingLabels }) => distinguishingLabels)).toEqual(expected);
  expect(rows.map(({ labels }) => labels)).toEqual(labelSets);
});

test.each(['bh', 'holm', 'none'] as const)(
  'the confidence interval excludes 0 if and only if the change is significant, with %s',
  correction => {
    const rates = [1000, 1004, 1008, 1012, 1016, 1020, 1030];
    const createRun = (factor: number) =>
      createTestRun(
        Object.fromEntries(
          rates.map((rate, i) => [
            `level_${i}`,
            createMetric('gauge', [
              createGauge(1000 + factor * (rate - 1000), {
                slices: varySlices(1000 + factor * (rate - 1000)),
              }),
            ]),
          ]),
        ),
      );
    const rows = compareRows(createRun(0), createRun(1), { correction, minChange: 0 }).filter(
      ({ p }) => p !== null,
    );
    expect(rows.length).toBeGreaterThan(5);
    for (const { change, noise, p } of rows) expect(Math.abs(change!) > noise!).toBe(p! <= 0.05);
  },
);

test('many tests of other metrics do not hide a change of a key metric', () => {
  const createRun = (rate: number) =>
    createTestRun({
      'vllm:generation_tokens': createMetric('counter', [createTokens(rate)], 'tokens'),
      other: createMetric(
        'gauge',
        Array.from({ length: 500 }, (_, i) =>
          createGauge(10, { labels: { i: String(i) }, slices: varySlices(10) }),
        ),
      ),
    });
  expect(compareRows(createRun(1000), createRun(975))[0]).toMatchObject({ verdict: 'worse' });
});

test.each<[string, object]>([
  ['too few timeslices (4 and 10, required: 8)', { slices: varySlices(1000).slice(0, 4) }],
  ['no timeslices', {}],
])('gives the reason why a row was not tested: %s', (reason, options) => {
  const [base, other] = [options, reason.startsWith('no') ? {} : { slices: varySlices(900) }].map(
    (sides, i) =>
      createTestRun({
        'vllm:generation_tokens': createMetric('counter', [createCounter(20_000 - 2000 * i, sides)]),
      }),
  );
  expect(compareRows(base!, other!)[0]).toMatchObject({ verdict: 'untested', test: null, reason });
});

test('gives the reason why p99 of a client metric was not tested', () => {
  const createRun = (p99: number) => createClientRun({ request_latency: { unit: 'ms', avg: p99 / 2, p99 } });
  const row = compareRows(createRun(100), createRun(300)).find(({ stat }) => stat === 'p99');
  expect(row).toMatchObject({ verdict: 'untested', reason: 'timeslices have no percentiles' });
});

test('run totals have the p-value of their rates', () => {
  const createRun = (counts: readonly number[]) => {
    const total = counts.reduce((sum, count) => sum + count, 0);
    const slices = createSlices(counts.map(count => ({ count, rate: count / 2 })));
    return createClientRun(
      {
        request_count: { unit: 'requests', avg: total },
        request_throughput: { unit: 'requests/sec', avg: total / 20 },
      },
      slices.map(({ start_ns, end_ns, count, rate }) => ({
        start_ns,
        end_ns,
        request_count: { unit: 'requests', avg: count },
        request_throughput: { unit: 'requests/sec', avg: rate },
      })),
    );
  };
  // Two Poisson processes with the same rate; the second one happens to have 20% fewer requests.
  const rows = compareRows(
    createRun([9, 14, 7, 12, 8, 13, 10, 6, 12, 9]),
    createRun([8, 5, 11, 7, 9, 6, 10, 4, 12, 8]),
  );
  expect(rows.map(({ name, verdict }) => [name, verdict])).toEqual([
    ['request_throughput', 'no evidence'],
    ['request_count', 'no evidence'],
  ]);
  expect(rows[0]!.p).toBeCloseTo(rows[1]!.p!, 10);
});
