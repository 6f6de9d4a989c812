import { describe, expect, it } from 'vitest';
import { type HistogramSeries, Layout } from '../../src/layout/layout.ts';
import { ColumnStore } from '../../src/store/columnStore.ts';

const NONE = Number.NaN;
const BOUNDS = [1, 2, 5, Infinity];

function createHistogramLayout(): { layout: Layout; series: HistogramSeries } {
  const layout = new Layout();
  const series = layout.histogram({ name: 'h', type: 'histogram', help: '' }, []);
  for (const le of BOUNDS) layout.bucket(series, le, String(le));
  return { layout, series };
}

/** Creates a row of a histogram: sum, count, then the buckets. `change` modifies its values. */
function createRow(at: number, change: (values: number[]) => void = () => undefined): Float64Array {
  const values = [at * 0.7, at * 4, at, at * 2, at * 3, at * 4];
  change(values);
  return Float64Array.from(values);
}

describe('the columns of a histogram', () => {
  /** Modifications of rows, in a run with several chunks. */
  const RUNS: readonly (readonly [string, (values: number[], at: number) => void])[] = [
    ['increasing values', () => undefined],
    ['falling values', (values, at) => at > 500 && values.fill(at - 500)],
    ['a value that is not an integer', (values, at) => at === 300 && values.splice(3, 1, 0.5)],
    ['a value of -0', (values, at) => at === 0 && values.splice(3, 1, -0)],
    ['a value above 2^51', (values, at) => at === 300 && values.splice(5, 1, 2 ** 53 + 2)],
    [
      'a bucket count below the count of the previous bucket',
      (values, at) => at > 300 && values.splice(3, 1, 0),
    ],
    ['a series that is missing for a while', (values, at) => at > 100 && at < 400 && values.fill(NONE)],
    [
      'a bound that is missing for a while',
      (values, at) => at > 100 && at < 400 && values.splice(3, 1, NONE),
    ],
    ['a missing count', (values, at) => at % 3 === 0 && values.splice(1, 1, NONE)],
    ['constant values', values => values.fill(8)],
  ];

  it.each(RUNS)('are lossless for %s', (_name, change) => {
    const { layout, series } = createHistogramLayout();
    const columns = new ColumnStore(layout);
    const rows = Array.from({ length: 900 }, (_, at) => createRow(at, values => void change(values, at)));
    for (const values of rows) columns.append(values);
    const chain = columns.readChain(series, 200, 850);
    [2, 3, 4, 5, 1].forEach((slot, at) => {
      const expected = rows.map(values => values[slot]);
      expect([...columns.readColumn(slot, 0, 900)]).toEqual(expected);
      expect([...chain[at]!]).toEqual(expected.slice(200, 850));
    });
    expect([...columns.readColumn(0, 0, 900)]).toEqual(rows.map(values => values[0]));
  });

  it('are lossless when bounds appear later, below, between and above', () => {
    const { layout, series } = createHistogramLayout();
    const columns = new ColumnStore(layout);
    const rows: number[][] = [];
    for (let at = 0; at < 1200; at++) {
      if (at === 400) layout.bucket(series, 3, '3');
      if (at === 700) for (const le of [0.5, 8]) layout.bucket(series, le, String(le));
      rows.push([...createRow(at), at * 2 + 1, at, at * 3 + 1].slice(0, layout.slotCount));
      columns.append(Float64Array.from(rows[at]!));
    }
    for (let slot = 0; slot < layout.slotCount; slot++) {
      expect([...columns.readColumn(slot, 0, 1200)]).toEqual(rows.map(values => values[slot] ?? NONE));
    }
  });
});

describe('memory', () => {
  it('is less than 0.02 bytes per constant value', () => {
    const { layout } = createHistogramLayout();
    const columns = new ColumnStore(layout);
    const constantRow = createRow(1000);
    for (let at = 0; at < 1000; at++) columns.append(constantRow);
    const { byteLength } = columns;
    for (let at = 0; at < 100_000; at++) columns.append(constantRow);
    expect((columns.byteLength - byteLength) / (100_000 * layout.slotCount)).toBeLessThan(0.02);
  });

  it('is less than two bytes per value under load', () => {
    const { layout } = createHistogramLayout();
    const columns = new ColumnStore(layout);
    const buckets = [0, 0, 0, 0];
    let sum = 0;
    let seed = 1;
    for (let at = 0; at < 20_000; at++) {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      const observations = seed >>> 30;
      for (let observation = 0; observation < observations; observation++) {
        const bucket = (seed >>> (4 * observation)) & 3;
        for (let above = bucket; above < 4; above++) buckets[above]! += 1;
        sum += bucket + seed / 2 ** 33;
      }
      columns.append(Float64Array.of(sum, buckets[3]!, ...buckets));
    }
    expect(columns.byteLength / (20_000 * layout.slotCount)).toBeLessThan(2);
  });
});
