import fc from 'fast-check';
import type { Labels, PlainFamily, PlainSample } from './plainFamilies.ts';

/** Tricky fragments, placed between arbitrary characters. */
const PIECES = [
  '"',
  '\\',
  '\n',
  '\r',
  '\t',
  ' ',
  ' # ',
  '# EOF',
  '{',
  '}',
  ',',
  '=',
  '="',
  '"}',
  'le',
  '+Inf',
  '_total',
  '__proto__',
  'constructor',
  'é',
  '日本',
  '😀',
  '\u0085',
  '\u00a0',
  '\u2028',
  '\ufeff',
  '\0',
  'n',
  '\\n',
  '1',
  'NaN',
];

const fragment = fc.oneof(
  fc.constantFrom(...PIECES),
  fc.string({ unit: 'grapheme', maxLength: 5 }),
  fc.string({ maxLength: 5 }),
);

/** Any text that can be encoded as UTF-8. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(fragment, { maxLength: 6 })
  .map(pieces => pieces.join(''))
  .filter(text => Buffer.from(text).toString() === text);

export const plainName: fc.Arbitrary<string> = fc.stringMatching(/^[a-zA-Z_][a-zA-Z0-9_]{0,8}$/);

/** Names, some of which need quotes. */
const anyName = fc.oneof(
  { weight: 3, arbitrary: plainName },
  { weight: 1, arbitrary: hostileText.filter(text => text !== '') },
);
const labelName = anyName.filter(name => !['__name__', 'le', 'quantile'].includes(name));

export const labels: fc.Arbitrary<Labels> = fc.uniqueArray(fc.tuple(labelName, hostileText), {
  selector: ([name]) => name,
  maxLength: 4,
});

const anyNumber = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.constantFrom(0, Infinity, -Infinity, NaN, 0.1, 1e23, 5e-324),
);
const count = fc.oneof(fc.nat(), fc.double({ min: 0, noNaN: true }));
const time = fc.integer({ min: -(2 ** 40), max: 2 ** 40 }).map(milliseconds => milliseconds / 1000);

function createScalars(suffix: string, value: fc.Arbitrary<number>) {
  return (name: string): fc.Arbitrary<PlainSample[]> =>
    seriesLabels.chain(sets =>
      fc.tuple(
        ...sets.map(set => makeSample(name + suffix, set, value, fc.option(time, { nil: undefined }))),
      ),
    );
}

const seriesLabels = fc.uniqueArray(labels, {
  selector: set => JSON.stringify([...set].sort()),
  maxLength: 4,
});

function makeSample(
  name: string,
  set: Labels,
  value: fc.Arbitrary<number>,
  timestamp: fc.Arbitrary<number | undefined>,
): fc.Arbitrary<PlainSample> {
  return fc.record({ value, timestamp }).map(drawn => ({
    name,
    labels: set,
    value: drawn.value,
    ...(drawn.timestamp !== undefined && { timestamp: drawn.timestamp }),
  }));
}

const bounds = fc.uniqueArray(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }), { maxLength: 4 });

function createHistogram(name: string): fc.Arbitrary<PlainSample[]> {
  return fc
    .tuple(labels, bounds, fc.array(fc.nat(100), { minLength: 5, maxLength: 5 }), count)
    .map(([set, bucketBounds, counts, sum]) => {
      const sorted = [...bucketBounds.sort((a, b) => a - b).map(String), '+Inf'];
      let total = 0;
      const buckets = sorted.map((le, index) => {
        total += counts[index]!;
        return { name: `${name}_bucket`, labels: [...set, ['le', le]] as Labels, value: total };
      });
      return [
        ...buckets,
        { name: `${name}_count`, labels: set, value: total },
        { name: `${name}_sum`, labels: set, value: sum },
      ];
    });
}

const SAMPLES = {
  gauge: createScalars('', anyNumber),
  unknown: createScalars('', anyNumber),
  counter: createScalars('_total', count),
  histogram: createHistogram,
} as const;

type DrawnType = keyof typeof SAMPLES;

/** A family that both formats can represent. */
export const family: fc.Arbitrary<PlainFamily> = fc
  .tuple(anyName, fc.constantFrom<DrawnType[]>('gauge', 'unknown', 'counter', 'histogram'), hostileText)
  .chain(([name, type, help]) => SAMPLES[type](name).map(samples => ({ name, type, help, samples })));

/** An exemplar whose labels have at most 128 UTF-16 code units, within the OpenMetrics limit of 128 characters. */
export const exemplar: fc.Arbitrary<NonNullable<PlainSample['exemplar']>> = fc
  .record({ labels, value: anyNumber, timestamp: fc.option(time, { nil: undefined }) })
  .filter(({ labels }) => labels.reduce((sum, [name, value]) => sum + name.length + value.length, 0) <= 128)
  .map(({ labels, value, timestamp }) => ({ labels, value, ...(timestamp !== undefined && { timestamp }) }));
