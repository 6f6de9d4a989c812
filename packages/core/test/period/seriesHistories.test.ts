import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Labels } from '../../src/layout/labels.ts';
import { type Family, Layout, type Series } from '../../src/layout/layout.ts';
import { estimateLinearPercentiles } from '../../src/percentile/linear.ts';
import type { ScrapeEvidence, UnknownStart } from '../../src/period/creation.ts';
import { SeriesHistories } from '../../src/period/seriesHistories.ts';
import { computeSeriesStatistics } from '../../src/statistics/seriesStatistics.ts';
import { EndpointStore } from '../../src/store/endpointStore.ts';

const COMPLETE: ScrapeEvidence = { outagesNs: [], addressChangesNs: [], isComplete: true };
const T0 = 1_700_000_000_000_000_000n;
const SECOND = 1e9;

/** The samples of one scrape per second: name, with an optional label value, to value. */
type Page = Readonly<Record<string, number>>;

const TYPES: Readonly<Record<string, Family['type']>> = {
  process_start_time_seconds: 'gauge',
  dynamo_uptime_seconds: 'gauge',
  errors_created: 'gauge',
};

function createStore(pages: readonly Page[]): EndpointStore {
  const layout = new Layout();
  const store = new EndpointStore(layout);
  pages.forEach((page, second) => {
    const values: number[] = [];
    for (const [key, value] of Object.entries(page)) {
      const [name, label] = key.split('/') as [string, string?];
      const family = { name, type: TYPES[name] ?? ('counter' as const), help: '' };
      values[layout.scalar(family, toLabels(label)).value] = value;
    }
    store.append({
      timestampNs: T0 + BigInt(second * SECOND),
      latencyNs: 5e6,
      changed: true,
      values: Float64Array.from({ length: layout.slotCount }, (_, slot) => values[slot] ?? Number.NaN),
    });
  });
  return store;
}

/** Labels a series: `w1` becomes the label `worker_id`, other values the label `l`. */
function toLabels(label: string | undefined): Labels {
  if (label === undefined) return [];
  return [[/^w\d/.test(label) ? 'worker_id' : 'l', label]];
}

function findSeries(store: EndpointStore, key: string): Series {
  const [name, label] = key.split('/');
  return store.layout.series.find(({ family, labels }) => family.name === name && labels[0]?.[1] === label)!;
}

/** Computes the statistics of a counter in the period after the scrape at second 0. */
function computeStats(
  pages: readonly Page[],
  key: string,
  evidence: ScrapeEvidence | null = COMPLETE,
): object {
  const store = createStore(pages);
  const period = { startNs: 0.5 * SECOND, endNs: (pages.length - 1) * SECOND };
  const series = findSeries(store, key);
  const history = new SeriesHistories(store, period, evidence ? { evidence } : {}).get(series);
  return computeSeriesStatistics(store, series, { period, history, estimator: estimateLinearPercentiles })!
    .stats;
}

const COLD: readonly Page[] = [{ up: 1 }, { up: 1, errors: 2 }, { up: 1, errors: 3 }];
const CREATED = { total: 1, created_in_run: true, increase: 3, increase_rate: 2 };

describe('a counter that first appears in the period', () => {
  it.each<[string, readonly Page[], ScrapeEvidence | null]>([
    ['after complete scrapes of one process', COLD, COMPLETE],
    ['before a scrape that fails', COLD, { ...COMPLETE, outagesNs: [[1.5 * SECOND, 1.8 * SECOND]] }],
    ['after an outage before the baseline', COLD, { ...COMPLETE, outagesNs: [[-5 * SECOND, -SECOND]] }],
    ['after an outage that ended at the baseline', COLD, { ...COMPLETE, outagesNs: [[-SECOND, 0]] }],
    [
      'with an unchanged process start time',
      COLD.map(page => ({ ...page, process_start_time_seconds: 1000 })),
      COMPLETE,
    ],
    [
      'with a creation time after the last scrape without it',
      COLD.map((page, second) => (second > 0 ? { ...page, errors_created: 1_700_000_000.4 } : page)),
      COMPLETE,
    ],
    [
      'with a creation time just before the last scrape without it, as of a clock that is behind',
      COLD.map((page, second) => (second > 0 ? { ...page, errors_created: 1_699_999_999.95 } : page)),
      COMPLETE,
    ],
    [
      'next to a counter that behaves like a gauge',
      [5, 3, 9, 2, 8, 1, 7].map((tx, second) => ({ tx, ...(second > 3 && { errors: second - 3 }) })),
      COMPLETE,
    ],
    ['before a counter is reset', [...COLD, { up: 0, errors: 3 }], COMPLETE],
    [
      'with the label of a worker that was on the page before',
      [{ 'done/w1': 1 }, { 'done/w1': 2, 'errors/w1': 2 }, { 'done/w1': 3, 'errors/w1': 3 }],
      COMPLETE,
    ],
    [
      'with a worker that started after the last scrape without it',
      [
        { up: 1 },
        { up: 1, 'errors/w1': 2, 'dynamo_uptime_seconds/w1': 0.5 },
        { up: 1, 'errors/w1': 3, 'dynamo_uptime_seconds/w1': 1.5 },
      ],
      COMPLETE,
    ],
    [
      'in a process that started after the last scrape, although scrapes before it failed',
      [
        { dynamo_uptime_seconds: 100 },
        { dynamo_uptime_seconds: 0.5, errors: 2 },
        { dynamo_uptime_seconds: 1.5, errors: 3 },
      ],
      { ...COMPLETE, outagesNs: [[0.2 * SECOND, 0.8 * SECOND]], addressChangesNs: [SECOND] },
    ],
    [
      'in a process that restarts later, so that the series is absent for a while',
      [
        { process_start_time_seconds: 1000 },
        { process_start_time_seconds: 1000, errors: 3 },
        { process_start_time_seconds: 2000 },
        { process_start_time_seconds: 2000, errors: 0 },
      ],
      COMPLETE,
    ],
  ])('counts from 0 %s', (_name, pages, evidence) => {
    const key = pages.some(page => 'errors/w1' in page) ? 'errors/w1' : 'errors';
    expect(computeStats(pages, key, evidence)).toMatchObject({ created_in_run: true, increase: 3 });
  });

  it('keeps total and rate as documented', () => {
    expect(computeStats(COLD, 'errors')).toEqual({ ...CREATED, rate: 1 });
  });

  it.each<[string, readonly Page[], ScrapeEvidence | null]>([
    ['a scrape before it failed', COLD, { ...COMPLETE, outagesNs: [[0.2 * SECOND, 0.8 * SECOND]] }],
    ['an outage at the baseline did not end', COLD, { ...COMPLETE, outagesNs: [[0.2 * SECOND, Infinity]] }],
    ['the address changed before it', COLD, { ...COMPLETE, addressChangesNs: [SECOND] }],
    [
      'a counter was reset before it',
      COLD.map((page, second) => ({ ...page, up: second === 0 ? 5 : second })),
      COMPLETE,
    ],
    ['scrapes were incomplete', COLD, { ...COMPLETE, isComplete: false }],
    ['there is no evidence', COLD, null],
    [
      'the process start time changed',
      COLD.map((page, second) => ({ ...page, process_start_time_seconds: second > 0 ? 2000 : 1000 })),
      COMPLETE,
    ],
    [
      'the uptime fell',
      COLD.map((page, second) => ({ ...page, [`dynamo_uptime_seconds/${second}`]: second > 0 ? 1 : 1000 })),
      COMPLETE,
    ],
    ['it comes and goes', [...COLD, { up: 1 }, { up: 1, errors: 4 }], COMPLETE],
    ['it goes and does not return', [...COLD, { up: 1 }], COMPLETE],
    [
      'another series of its family disappears at the same time',
      [{ 'errors/a': 5 }, { 'errors/b': 500 }, { 'errors/b': 501 }],
      COMPLETE,
    ],
    [
      'its creation time is before the last scrape without it',
      COLD.map((page, second) => (second > 0 ? { ...page, errors_created: 1_699_999_999.8 } : page)),
      COMPLETE,
    ],
  ])('has only a total if %s', (_name, pages, evidence) => {
    const key = pages.some(page => 'errors/b' in page) ? 'errors/b' : 'errors';
    expect(computeStats(pages, key, evidence)).not.toHaveProperty('created_in_run');
  });

  it.each<[string, number[], object]>([
    ['counts from 0 in a process that started in the period', [0.2, 1.2], { increase: 3 }],
    ['has only a total in an older process', [5, 6], {}],
    ['has only a total if the uptime is not updated', [0.2, 0.2], {}],
    ['has only a total if the uptime is updated late', [0.2, 6], {}],
  ])('%s, without a scrape before the period', (_name, uptimes, expected) => {
    const store = createStore(
      COLD.slice(1).map((page, second) => ({ ...page, dynamo_uptime_seconds: uptimes[second]! })),
    );
    const period = { startNs: -0.5 * SECOND, endNs: SECOND };
    const series = findSeries(store, 'errors');
    const history = new SeriesHistories(store, period, { evidence: COMPLETE }).get(series);
    const options = { period, history, estimator: estimateLinearPercentiles };
    const { increase } = computeSeriesStatistics(store, series, options)!.stats as { increase?: number };
    expect({ ...(increase !== undefined && { increase }) }).toEqual(expected);
  });

  it('has only a total without a scrape before the period', () => {
    const store = createStore(COLD);
    const period = { startNs: -1, endNs: 2 * SECOND };
    const histories = new SeriesHistories(store, period, { evidence: COMPLETE });
    expect(histories.get(findSeries(store, 'errors'))).not.toHaveProperty('absentNs');
    expect([...histories.countUnknownStarts()]).toEqual([]);
  });

  it.each<[string, number, readonly Page[]]>([
    ['intermittent', 1, [{ a: 1 }, { a: 1, b: 1, c: 1 }, { a: 1, b: 2 }]],
    ['process_joined', 2, [{ a: 1 }, { a: 1, 'b/w1': 50, 'c/w1': 70 }, { a: 1, 'b/w1': 51, 'c/w1': 71 }]],
    [
      'process_joined',
      1,
      [{ 'a/w1': 1 }, { d: 1 }, { d: 1, 'a/w1': 1, 'b/w1': 50 }, { d: 2, 'a/w1': 1, 'b/w1': 51 }],
    ],
    [
      'created_before',
      1,
      [
        { a: 1 },
        { a: 1, 'b/w1': 50, 'dynamo_uptime_seconds/w1': 300 },
        { a: 1, 'b/w1': 51, 'dynamo_uptime_seconds/w1': 301 },
      ],
    ],
    [
      'created_before',
      1,
      [{ a: 1 }, { a: 1, 'b/w1': 50, 'process_start_time_seconds/w1': 1_699_999_900 }, { a: 1, 'b/w1': 51 }],
    ],
  ])('is counted by the reason why its start is unknown: %s', (reason, count, pages) => {
    const store = createStore(pages);
    const period = { startNs: 0.5 * SECOND, endNs: (pages.length - 1) * SECOND };
    const histories = new SeriesHistories(store, period, { evidence: COMPLETE });
    expect(histories.countUnknownStarts().get(reason as UnknownStart)).toBe(count);
  });

  it('counts from 0 if an earlier export of the run found its creation', () => {
    const store = createStore(COLD);
    const period = { startNs: 0.5 * SECOND, endNs: 2 * SECOND };
    const histories = new SeriesHistories(store, period, {
      wasCreated: ({ family }) => family.name === 'errors',
    });
    expect(histories.get(findSeries(store, 'errors')).absentNs).toBe(0);
    expect(histories.get(findSeries(store, 'up'))).not.toHaveProperty('absentNs');
  });
});

describe('resets', () => {
  it('includes a restart without a falling value', () => {
    const pages = [3, 5, 9].map((c, second) => ({
      c,
      process_start_time_seconds: second === 2 ? 2000 : 1000,
    }));
    expect(computeStats(pages, 'c')).toMatchObject({ total: 6, resets: 1, increase: 11 });
  });

  it('includes a restart within a few seconds', () => {
    const pages = [3, 5, 9].map((c, second) => ({
      c,
      process_start_time_seconds: second === 2 ? 1003 : 1000,
    }));
    expect(computeStats(pages, 'c')).toMatchObject({ resets: 1, increase: 11 });
  });

  it('includes a falling uptime of a process with new labels', () => {
    const pages = [3, 5, 9].map((c, second) => ({
      c,
      [`dynamo_uptime_seconds/${second === 2 ? 'new' : 'old'}`]: second === 2 ? 1 : 100 + second,
    }));
    expect(computeStats(pages, 'c')).toMatchObject({ resets: 1, increase: 11 });
  });

  it('ignores clock adjustments of the start time, and a rising uptime', () => {
    const pages = [3, 5, 9].map((c, second) => ({
      c,
      process_start_time_seconds: 1000 + second / 100,
      dynamo_uptime_seconds: second,
    }));
    expect(computeStats(pages, 'c')).toEqual({ total: 6, rate: 3 });
  });
});

describe('a counter that behaves like a gauge', () => {
  const BYTES = [5, 3, 9, 2, 8, 1, 7];
  it.each<[string, readonly Page[]]>([
    ['falls alone', BYTES.map((tx, at) => ({ tx, energy: at }))],
    ['falls at other times than another', BYTES.map((tx, at) => ({ tx, rx: BYTES[(at + 1) % 7]! }))],
    [
      'has only some falls in common with another',
      [
        [5, 5],
        [3, 3],
        [9, 9],
        [2, 2],
        [8, 8],
        [1, 9],
        [7, 4],
      ].map(([tx, rx]) => ({ tx: tx!, rx: rx! })),
    ],
    ['is the only counter', BYTES.map(tx => ({ tx }))],
  ])('has decreases instead of resets if it %s', (_name, pages) => {
    const stats = computeStats(pages, 'tx');
    expect(stats).toMatchObject({ total: 2, decreases: 3 });
    expect(stats).not.toHaveProperty('resets');
    expect(stats).not.toHaveProperty('increase');
  });

  it.each<[string, readonly Page[]]>([
    ['it falls together with another counter that falls as often', BYTES.map(tx => ({ tx, other: tx * 2 }))],
    [
      'one fall coincides with one of another counter',
      BYTES.map((tx, at) => ({ tx, other: at < 3 ? 9 + at : at })),
    ],
    ['it falls twice', BYTES.slice(0, 5).map(tx => ({ tx }))],
    [
      'the server restarts at one of its falls',
      BYTES.map((tx, at) => ({ tx, process_start_time_seconds: at < 3 ? 1000 : 2000 })),
    ],
  ])('is not assumed if %s', (_name, pages) => {
    expect(computeStats(pages, 'tx')).toHaveProperty('resets');
    expect(computeStats(pages, 'tx')).not.toHaveProperty('decreases');
  });
});

/** The start of a process in the order of starts, and in seconds since the first scrape. */
interface Start {
  readonly index: number;
  readonly seconds: number;
}

it.each<[string, (start: Start, second: number) => Page]>([
  ['start times long ago', ({ index }) => ({ process_start_time_seconds: 100 * index })],
  ['uptimes', ({ seconds }, second) => ({ dynamo_uptime_seconds: second - seconds })],
])('counts every event of random servers with %s, and never more than happened', (_, createClock) => {
  /** One second of a server: events of two counters, whether it restarts first, and whether the scrape fails. */
  const second = fc.record({
    a: fc.nat({ max: 3 }),
    b: fc.nat({ max: 3 }),
    restarts: fc.integer({ min: 0, max: 9 }).map(n => n === 0),
    fails: fc.integer({ min: 0, max: 9 }).map(n => n === 0),
  });
  fc.assert(
    fc.property(fc.array(second, { minLength: 2, maxLength: 25 }), seconds => {
      const pages: Page[] = [];
      const outagesNs: [number, number][] = [];
      let state = { start: { index: 0, seconds: -100 }, a: 0, b: 0 };
      let previousStart = state.start;
      // The oracle: events by counter since the first scrape, and those that no scrape saw because of a restart.
      const happened = { a: 0, b: 0 };
      const seen = { a: 0, b: 0 };
      seconds.forEach(({ a, b, restarts, fails }, at) => {
        if (restarts && at > 0)
          state = { start: { index: at, seconds: pages.length - 0.5 + at / 100 }, a: 0, b: 0 };
        state = { ...state, a: state.a + a, b: state.b + b };
        if (at > 0) for (const name of ['a', 'b'] as const) happened[name] += { a, b }[name];
        if (fails && at > 0) {
          outagesNs.push([(pages.length - 0.5) * SECOND, pages.length * SECOND]);
          return;
        }
        const { start, ...counters } = state;
        const visible = Object.entries(counters).filter(([, value]) => value > 0);
        const previous = pages.at(-1);
        const isNew = previousStart !== start;
        previousStart = start;
        if (previous)
          for (const name of ['a', 'b'] as const)
            seen[name] += counters[name] - (isNew ? 0 : (previous[name] ?? 0));
        pages.push({ ...createClock(start, pages.length), ...Object.fromEntries(visible) });
      });
      for (const name of ['a', 'b'] as const) {
        if (!pages.slice(1).some(page => name in page)) continue;
        const stats = computeStats(pages, name, { ...COMPLETE, outagesNs }) as {
          total: number;
          increase?: number;
          created_in_run?: true;
        };
        const increase = stats.increase ?? stats.total;
        expect(increase).toBeLessThanOrEqual(happened[name]);
        if (name in pages[0]! || stats.created_in_run) expect(increase).toBe(seen[name]);
        else expect(increase).toBeLessThanOrEqual(seen[name]);
      }
    }),
  );
});
