import type { Estimate } from '@org/analysis/browser';
import { describe, expect, test } from 'vitest';
import { PAGE_WIDTHS, writeCharts, writeConclusion } from '../../src/sweep/html/sweepView.ts';
import { createChoice } from '../../src/sweep/model/choice.ts';
import { buildSweepView } from '../../src/sweep/model/sections.ts';
import type { LoadPointData, SweepData } from '../../src/sweep/model/sweepData.ts';

type Value = readonly [mean: number, half: number] | number;

const toEstimate = (value: Value): Estimate =>
  typeof value === 'number' ? { mean: value, half: null } : { mean: value[0], half: value[1] };

function createPoint(
  concurrency: number,
  rate?: Value,
  ttft?: Value,
  more: Partial<LoadPointData> = {},
): LoadPointData {
  return {
    name: `concurrency_${concurrency}`,
    parameters: { concurrency: String(concurrency) },
    estimates: {
      ...(rate !== undefined && { request_throughput_avg: toEstimate(rate) }),
      ...(ttft !== undefined && { time_to_first_token_p99: toEstimate(ttft) }),
    },
    failedShare: 0,
    runs: typeof rate === 'number' ? 1 : 3,
    outcomes: { succeeded: 100, late: 0, failed: 0, cancelled: 0 },
    server: {},
    repeats: [],
    ...more,
  };
}

function createData(points: readonly LoadPointData[], more: Partial<SweepData> = {}): SweepData {
  return {
    name: 's',
    throughputs: [{ metric: 'request_throughput_avg', name: 'Requests/s', short: 'req/s', unit: '' }],
    latencies: [
      {
        metric: 'time_to_first_token_p99',
        name: 'Time to first token p99, ms',
        short: 'TTFT p99',
        unit: 'ms',
      },
    ],
    goodput: { time_to_first_token: 200 },
    points,
    ...more,
  };
}

const conclude = (data: SweepData): string => {
  const { label, sentence } = buildSweepView(data, createChoice(data)).conclusion;
  return `${label} ${sentence}`;
};

const FAST = createPoint(1, [10, 1], [50, 5]);
const GOOD = createPoint(8, [20, 1], [90, 5]);
const SLOW = createPoint(32, [21.5, 0.2], [900, 50]);

test.each<[string, SweepData, string]>([
  [
    'names the best load',
    createData([FAST, GOOD, SLOW]),
    'Best within TTFT p99 ≤ 200 ms: concurrency 8 (20 ± 1 req/s).',
  ],
  [
    'says that intervals overlap',
    createData([GOOD, createPoint(16, [21, 1], [190, 50])]),
    'Best within TTFT p99 ≤ 200 ms, not certain: concurrency 8 (20 ± 1 req/s) keeps it; concurrency 16 may be as good. The intervals of 3 runs overlap or contain the limit; more repeats make them narrower.',
  ],
  [
    'says that repeats are missing',
    createData([createPoint(1, 10, 50), createPoint(8, 20, 90)]),
    'Best within TTFT p99 ≤ 200 ms, not certain: by the means, concurrency 8 (20 req/s). Runs without repeats have no intervals; --num-profile-runs 3 or more adds them.',
  ],
  [
    'names no load if no mean keeps the limit',
    createData([createPoint(1, [10, 1], [210, 50]), createPoint(8, [20, 1], [220, 50])]),
    'Best within TTFT p99 ≤ 200 ms, not certain: no mean keeps it, but concurrency 8 and concurrency 1 may. The intervals of 3 runs overlap or contain the limit; more repeats make them narrower.',
  ],
  [
    'says that no load keeps the limit',
    createData([SLOW, createPoint(64, [20, 1], [2000, 50])]),
    'Best within TTFT p99 ≤ 200 ms: no load point keeps it.',
  ],
  [
    'says that there is no limit',
    createData([FAST, GOOD], { goodput: {} }),
    'Highest throughput (no limit set): 20 ± 1 req/s at concurrency 8. To judge the load, set --goodput for the runs, or choose a limit below.',
  ],
  [
    'says that there is no limit, and that the highest throughput is not certain without repeats',
    createData([createPoint(1, 10, 50), createPoint(8, 20, 90)], { goodput: {} }),
    'Highest throughput (no limit set): 20 req/s at concurrency 8, but other load points may be as high. Runs without repeats have no intervals; --num-profile-runs 3 or more adds them. To judge the load, set --goodput for the runs, or choose a limit below.',
  ],
  [
    'says that there is no limit, and that intervals overlap',
    createData([createPoint(1, [19, 2], [50, 1]), createPoint(8, [20, 2], [90, 1])], { goodput: {} }),
    'Highest throughput (no limit set): 20 ± 2 req/s at concurrency 8, but other load points may be as high. The intervals of 3 runs overlap; more repeats make them narrower. To judge the load, set --goodput for the runs, or choose a limit below.',
  ],
  [
    'judges a single load point',
    createData([GOOD]),
    'Concurrency 8, 20 ± 1 req/s: the mean keeps TTFT p99 ≤ 200 ms.',
  ],
  [
    'says that all requests failed',
    createData([createPoint(8, undefined, undefined, { failedShare: 1 })], {
      throughputs: [],
      latencies: [],
    }),
    'No throughput: no request succeeded at any load, or the metrics are missing.',
  ],
])('%s', (_, data, expected) => {
  expect(conclude(data)).toBe(expected);
});

test('counts failed requests, and names the load with most of them', () => {
  const data = createData([GOOD, createPoint(64, [90, 1], [10, 1], { failedShare: 0.4 })]);
  const { facts } = buildSweepView(data, createChoice(data)).conclusion;
  expect(facts.join('; ')).toContain('requests failed at 1 load point, up to 40% at concurrency 64');
});

describe('charts', () => {
  const listIds = (data: SweepData): string[] => {
    const view = buildSweepView(data, createChoice(data));
    const html = writeConclusion(view.conclusion) + writeCharts(view, PAGE_WIDTHS);
    expect(html).not.toMatch(/NaN|undefined|Infinity/);
    return [...html.matchAll(/<figure class="time" id="([^"]*)"/g)].map(([, id]) => id!);
  };

  test('of a sweep without server metrics name the missing metrics', () => {
    const data = createData([FAST, GOOD, SLOW]);
    expect(listIds(data)).toEqual(['tradeoff', 'load-throughput', 'load-time-to-first-token', 'load-good']);
    const html = writeCharts(buildSweepView(data, createChoice(data)), PAGE_WIDTHS);
    expect(html).toContain('These results contain no server metrics that are known.');
  });

  test('of servers leave out what was always 0', () => {
    const points = [FAST, GOOD].map(point => ({
      ...point,
      server: { running: 3, waiting: 1, preemptions: 0 },
    }));
    const data = createData(points);
    expect(listIds(data)).toContain('server-requests');
    const html = writeCharts(buildSweepView(data, createChoice(data)), PAGE_WIDTHS);
    expect(html).toContain('Always 0: preemptions.');
    expect(html).toContain('No server reports: KV cache, prefix cache hits, queue.');
  });

  test('skip a load point where all requests failed', () => {
    const failed = createPoint(64, undefined, undefined, {
      failedShare: 1,
      outcomes: { succeeded: 0, late: null, failed: 100, cancelled: 0 },
    });
    expect(listIds(createData([FAST, GOOD, failed]))).toContain('tradeoff');
  });

  test('have a color and a marker per group', () => {
    const points = [128, 512].flatMap(isl =>
      [FAST, GOOD].map(point => ({ ...point, parameters: { ...point.parameters, isl: String(isl) } })),
    );
    const { tradeoff } = buildSweepView(createData(points), createChoice(createData(points)));
    expect(tradeoff!.series.map(({ name, color, marker }) => [name, color, marker])).toEqual([
      ['isl 128', 'client', 'circle'],
      ['isl 512', 'server', 'square'],
    ]);
  });

  test('connect the points of a baseline with their counterparts', () => {
    const base = { name: 'old', points: [createPoint(1, [9, 1], [60, 5]), createPoint(99, [9, 1], [60, 5])] };
    const data = createData([FAST, GOOD], { base });
    const { tradeoff } = buildSweepView(data, createChoice(data));
    expect(tradeoff!.series.map(({ name, line, points }) => [name, line, points.map(({ x }) => x)])).toEqual([
      ['', 'thin', [9, 10]],
      ['baseline old', 'dashed', [9, 9]],
      ['', 'solid', [10, 20]],
    ]);
  });

  test('over the load name the series of a baseline', () => {
    const data = createData([FAST, GOOD], { base: { name: 'old', points: [FAST, GOOD] } });
    const [throughput] = buildSweepView(data, createChoice(data)).load;
    const names = throughput!.series.map(({ name, line }) => [name, line]);
    expect(names).toEqual([
      ['proportional to the load', 'thin'],
      ['baseline req/s', 'dashed'],
      ['req/s', 'solid'],
    ]);
  });

  test('show a dot per run', () => {
    const repeats = [9, 11].map((rate, i) => ({ trial: i + 1, values: { request_throughput_avg: rate } }));
    const view = buildSweepView(
      createData([{ ...FAST, repeats }, GOOD]),
      createChoice(createData([FAST, GOOD])),
    );
    const [chart] = view.repeats;
    const dots = chart!.series.filter(({ isBare }) => !isBare).flatMap(({ points }) => points);
    expect(dots.map(({ y, text }) => [y, text])).toEqual([
      [9, 'concurrency 1, run 1: 9'],
      [11, 'concurrency 1, run 2: 11'],
    ]);
  });
});
