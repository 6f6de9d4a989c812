import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Family, FamilyType } from '../../src/layout/layout.ts';
import { type HistogramSeries, Layout, type ScalarSeries } from '../../src/layout/layout.ts';
import type { Frame } from '../../src/store/endpointStore.ts';
import { EndpointStore } from '../../src/store/endpointStore.ts';

const NONE = Number.NaN;

function createFamily(type: FamilyType, name = type as string): Family {
  return { name, type, help: '' };
}

function createFrame(at: number, values: readonly number[], changed = true): Frame {
  return {
    timestampNs: 1_000_000_000_000n + BigInt(at),
    latencyNs: at * 10,
    changed,
    values: Float64Array.from(values),
  };
}

/** Creates a store with one gauge from the times and values of its frames. */
function createGaugeStore(
  frames: readonly (readonly [time: number, value: number])[],
): [EndpointStore, ScalarSeries] {
  const layout = new Layout();
  const series = layout.scalar(createFamily('gauge'), []);
  const store = new EndpointStore(layout);
  for (const [time, value] of frames) store.append(createFrame(time, [value]));
  return [store, series];
}

describe('times', () => {
  it('are empty before the first frame', () => {
    const [store, series] = createGaugeStore([]);
    expect(store.frameCount).toBe(0);
    expect(store.timeline()).toEqual({ originNs: 0n, offsetsNs: new Float64Array(0) });
    expect(store.column(series.value)).toEqual(new Float64Array(0));
    expect(store.scalarSamples(series).values).toEqual(new Float64Array(0));
  });

  it('are exact to the nanosecond, relative to the first frame', () => {
    const store = new EndpointStore(new Layout());
    const start = 1_765_793_061_967_310_848n;
    const times = [start, start + 1n, start + 86_400_000_000_001n];
    for (const timestampNs of times) {
      store.append({ timestampNs, latencyNs: 1, changed: true, values: new Float64Array(0) });
    }
    const { originNs, offsetsNs } = store.timeline();
    expect([...offsetsNs].map(offset => originNs + BigInt(offset))).toEqual(times);
  });

  it('are sorted together with all values; frames with equal times keep their order', () => {
    const [store, series] = createGaugeStore([
      [50, 1],
      [20, 2],
      [50, 3],
      [70, 4],
      [20, 5],
      [10, 6],
    ]);
    expect([...store.timeline().offsetsNs]).toEqual([-40, -30, -30, 0, 0, 20]);
    expect([...store.column(series.value)]).toEqual([6, 2, 5, 1, 3, 4]);
    expect([...store.column(series.value, 1, 4)]).toEqual([2, 5, 1]);
    expect([...store.latenciesNs()]).toEqual([100, 200, 200, 500, 500, 700]);
    store.append(createFrame(60, [7]));
    expect([...store.column(series.value)]).toEqual([6, 2, 5, 1, 3, 7, 4]);
  });

  it('are not changed by later frames', () => {
    const [store] = createGaugeStore([[0, 1]]);
    const { offsetsNs } = store.timeline();
    for (let at = 1; at < 1000; at++) store.append(createFrame(at, [at]));
    expect([...offsetsNs]).toEqual([0]);
    expect(store.timeline().offsetsNs).toHaveLength(1000);
  });
});

describe('frames', () => {
  it('record whether the response changed', () => {
    const store = new EndpointStore(new Layout());
    [true, false, true].forEach((changed, at) => {
      store.append(createFrame(at, [], changed));
    });
    expect([...store.changed()]).toEqual([1, 0, 1]);
  });

  it('are copied', () => {
    const layout = new Layout();
    const series = layout.scalar(createFamily('gauge'), []);
    const store = new EndpointStore(layout);
    const values = Float64Array.of(1);
    store.append({ timestampNs: 1n, latencyNs: 0, changed: true, values });
    values[0] = 2;
    expect([...store.column(series.value)]).toEqual([1]);
  });

  it('can be shorter than the layout, but not longer', () => {
    const [store, series] = createGaugeStore([[0, 1]]);
    const late = store.layout.scalar(createFamily('counter'), []);
    store.append(createFrame(1, [2]));
    store.append(createFrame(2, [3, 4]));
    expect([...store.column(series.value)]).toEqual([1, 2, 3]);
    expect([...store.column(late.value)]).toEqual([NONE, NONE, 4]);
    expect(() => store.append(createFrame(3, [1, 2, 3]))).toThrow(
      'cannot store a frame of 3 values: the layout has 2 slots',
    );
  });

  it.each([NONE, Infinity, -Infinity])('have no sample for a value of %d', value => {
    const [store, series] = createGaugeStore([
      [0, 1],
      [5, value],
      [9, 3],
    ]);
    expect([...store.column(series.value)]).toEqual([1, NONE, 3]);
    expect(store.scalarSamples(series)).toEqual({
      timesNs: Float64Array.of(0, 9),
      values: Float64Array.of(1, 3),
    });
  });

  it('are read by range, which is limited to the stored frames', () => {
    const [store, series] = createGaugeStore(Array.from({ length: 700 }, (_, at) => [at, at]));
    for (const [from, to] of [
      [0, 700],
      [0, 1],
      [255, 257],
      [300, 300],
      [699, 2000],
      [-5, 3],
      [500, 100],
    ] as const) {
      const expected = Array.from({ length: 700 }, (_, at) => at).filter(at => at >= from && at < to);
      expect([...store.column(series.value, from, to)]).toEqual(expected);
      expect([...store.scalarSamples(series, from, to).timesNs]).toEqual(expected);
    }
  });
});

describe('a summary', () => {
  it('has a sample for each frame with sum and count, and includes the quantiles present', () => {
    const layout = new Layout();
    const series = layout.summary(createFamily('summary'), []);
    layout.quantile(series, 0.99, '0.99');
    layout.quantile(series, 0.5, '0.5');
    const store = new EndpointStore(layout);
    store.append(createFrame(0, [10, 2, 9, 1]));
    store.append(createFrame(1, [20, NONE, 9, 1]));
    store.append(createFrame(2, [30, 4, NONE, 2]));
    expect(store.summarySamples(series)).toEqual({
      timesNs: Float64Array.of(0, 2),
      sums: Float64Array.of(10, 30),
      counts: Float64Array.of(2, 4),
      quantiles: [
        { quantile: 0.5, text: '0.5' },
        { quantile: 0.99, text: '0.99' },
      ],
      values: [Float64Array.of(1, 2), Float64Array.of(9, NONE)],
    });
  });
});

describe('a histogram', () => {
  /** Frames of [sum, count, bucket 1, bucket 2, bucket +Inf]. */
  function createHistogramStore(frames: readonly (readonly number[])[]): [EndpointStore, HistogramSeries] {
    const layout = new Layout();
    const series = layout.histogram(createFamily('histogram'), []);
    for (const [le, text] of [
      [1, '1.0'],
      [2, '2.0'],
      [Infinity, '+Inf'],
    ] as const) {
      layout.bucket(series, le, text);
    }
    const store = new EndpointStore(layout);
    frames.forEach((values, at) => {
      store.append(createFrame(at, values));
    });
    return [store, series];
  }

  it('has a sample in each frame with sum, count and at least one bound', () => {
    const [store, series] = createHistogramStore([
      [1, 1, 1, 1, 1],
      [NONE, 2, 2, 2, 2],
      [3, NONE, 3, 3, 3],
      [4, 4, NONE, NONE, NONE],
      [5, 5, 3, 4, 5],
    ]);
    expect(store.histogramSamples(series)).toEqual({
      timesNs: Float64Array.of(0, 4),
      sums: Float64Array.of(1, 5),
      counts: Float64Array.of(1, 5),
      bounds: [
        { le: 1, text: '1.0' },
        { le: 2, text: '2.0' },
        { le: Infinity, text: '+Inf' },
      ],
      cumulative: [Float64Array.of(1, 3), Float64Array.of(1, 4), Float64Array.of(1, 5)],
    });
  });

  it('fills a missing bound with the same value for any range', () => {
    const [store, series] = createHistogramStore([
      [1, 10, 4, NONE, 10],
      [1, 10, NONE, NONE, NONE],
      [1, 12, 5, 7, 12],
      [1, 13, 5, NONE, 13],
      [1, 14, 6, 9, 14],
    ]);
    const complete = store.histogramSamples(series).cumulative.map(column => [...column]);
    expect(complete).toEqual([
      [4, 5, 5, 6],
      [5, 7, 7, 9],
      [10, 12, 13, 14],
    ]);
    const frames = [0, 2, 3, 4];
    for (let from = 0; from <= 5; from++) {
      for (let to = from; to <= 5; to++) {
        const inside = frames.flatMap((at, row) => (at >= from && at < to ? [row] : []));
        const expected = complete.map(column => inside.map(row => column[row]));
        expect(store.histogramSamples(series, from, to).cumulative.map(column => [...column])).toEqual(
          expected,
        );
      }
    }
  });
});

/** A random run of an endpoint. */
interface Run {
  readonly frames: readonly { readonly time: number; readonly values: readonly number[] }[];
  /** The indices of the frames at which the later series appear. */
  readonly appearanceFrames: readonly number[];
}

const value = fc.oneof(
  { weight: 5, arbitrary: fc.constant(4) },
  { weight: 5, arbitrary: fc.integer({ min: 0, max: 30 }) },
  { weight: 1, arbitrary: fc.double() },
  { weight: 1, arbitrary: fc.constantFrom(-0, NONE, 0.25, 2 ** 53, Infinity) },
);

/**
 * Slots of a gauge, a histogram (sum, count, 5 buckets), then a counter, a histogram (sum, count, 3 buckets)
 * and a gauge.
 */
const SLOTS = 15;
const run: fc.Arbitrary<Run> = fc.record({
  frames: fc
    .array(
      fc.record({
        time: fc.oneof(
          { weight: 20, arbitrary: fc.constant(-1) },
          { weight: 1, arbitrary: fc.integer({ min: 0, max: 300 }) },
        ),
        values: fc.array(value, { minLength: SLOTS, maxLength: SLOTS }),
      }),
      { minLength: 1, maxLength: 20 },
    )
    // Repeated values give constant columns, and enough rows for several chunks.
    .chain(frames =>
      fc
        .array(fc.tuple(fc.nat({ max: frames.length - 1 }), fc.integer({ min: 1, max: 150 })), {
          minLength: 1,
          maxLength: 12,
        })
        .map(repeats =>
          repeats.flatMap(([index, times]) => Array.from({ length: times }, () => frames[index]!)),
        ),
    ),
  appearanceFrames: fc.array(fc.nat({ max: 400 }), { minLength: 3, maxLength: 3 }),
});

function buildStore({ frames, appearanceFrames }: Run): {
  store: EndpointStore;
  model: { time: number; values: number[] }[];
} {
  const layout = new Layout();
  const store = new EndpointStore(layout);
  const model: { time: number; values: number[] }[] = [];
  const addSeries = [
    () => layout.scalar(createFamily('counter'), []),
    () => {
      const series = layout.histogram(createFamily('histogram', 'late'), []);
      for (const le of [Infinity, 2, 1]) layout.bucket(series, le, String(le));
    },
    () => layout.scalar(createFamily('gauge', 'last'), []),
  ];
  layout.scalar(createFamily('gauge'), []);
  const histogram = layout.histogram(createFamily('histogram'), []);
  for (const le of [1, 4, Infinity]) layout.bucket(histogram, le, String(le));
  frames.forEach(({ time, values }, at) => {
    addSeries.forEach((add, index) => {
      if (appearanceFrames[index] === at) add();
    });
    if (at === 200) for (const le of [3, 2]) layout.bucket(histogram, le, String(le));
    const storedValues = values.slice(0, layout.slotCount);
    const frameTime = time < 0 ? at * 10 : time;
    store.append(createFrame(frameTime, storedValues));
    model.push({ time: frameTime, values: storedValues });
  });
  model.sort((a, b) => a.time - b.time);
  return { store, model };
}

describe('any run', () => {
  it('is read back exactly and in order of time, completely or in part', () => {
    fc.assert(
      fc.property(run, fc.nat({ max: 1000 }), fc.nat({ max: 1000 }), (randomRun, a, b) => {
        const { store, model } = buildStore(randomRun);
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        for (let slot = 0; slot < store.layout.slotCount; slot++) {
          const expected = model.map(({ values }) => (Number.isFinite(values[slot]) ? values[slot]! : NONE));
          expect([...store.column(slot)]).toEqual(expected);
          expect([...store.column(slot, from, to)]).toEqual(expected.slice(from, to));
        }
      }),
      { numRuns: 150 },
    );
  });
});
