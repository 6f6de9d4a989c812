import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../src/json/parse.ts';
import { parseSeriesStream, type SeriesStreamOptions } from '../../../src/json/stream/parseSeriesStream.ts';
import { decodeText } from '../../../src/source/text.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Parses bytes in chunks of a given size. */
async function parseInChunks(
  bytes: Uint8Array,
  size: number,
  options?: SeriesStreamOptions,
): Promise<unknown> {
  const stream = async function* (): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  };
  return (await parseSeriesStream({ name: 'run.json', stream }, options)).value;
}

const parseText = (text: string, size = 1 << 18): Promise<unknown> => parseInChunks(encode(text), size);

/** Returns the value or the error message of the whole text, which `parseSeriesStream` must return too. */
function parseWhole(bytes: Uint8Array): unknown {
  try {
    return parseJson(decodeText(bytes)).value;
  } catch (error) {
    return (error as Error).message;
  }
}

async function getOutcome(bytes: Uint8Array, size: number, options?: SeriesStreamOptions): Promise<unknown> {
  return await parseInChunks(bytes, size, options).catch((error: Error) => error.message);
}

/** Skips the timeslices of one metric. */
const SKIP_A: SeriesStreamOptions = { skipsSlices: name => name === 'a' };

/** Removes the timeslices of the metric `a` from a document. */
function emptySlices(document: unknown): unknown {
  const { metrics } = (document ?? {}) as { metrics?: { a?: { series?: unknown } } };
  const series = metrics && Object.hasOwn(metrics, 'a') ? metrics.a?.series : undefined;
  for (const entry of Array.isArray(series) ? series : [])
    for (const field of ['timeslices', 'reset_timeslices'])
      if (Array.isArray((entry as Record<string, unknown> | null)?.[field]))
        (entry as Record<string, unknown>)[field] = [];
  return document;
}

const wrap = (series: string): string => `{"metrics": {"a": {"type": "gauge", "series": [${series}]}}}`;

/** Texts of numbers and other values in timeslices. */
const valueText = fc.constantFrom(
  ...[
    '0',
    '-0',
    '5',
    '17',
    '-3',
    '0.25',
    '-1.5',
    '0.30000000000000004',
    '1e3',
    '2.5E-7',
    '1e400',
    'true',
    'null',
  ],
  ...['9007199254740993', '1765793061967310848', '100000000000000000000', '-0.0', '12345678901234567890'],
  ...[
    '"text"',
    '[]',
    '[1]',
    '{}',
    '{"0.1": 3, "+Inf": 4}',
    '{"0.1": 5, "+Inf": 6}',
    'NaN',
    '01',
    '1.',
    '.5',
    '-',
  ],
);
const keyText = fc.constantFrom(
  'start_ns',
  'end_ns',
  'avg',
  'count',
  'buckets',
  '__proto__',
  'a\\u0062',
  'ü',
  '',
);
const spaceText = fc.constantFrom('', ' ', '\n  ', '\r\n', '\t');

const sliceText = fc
  .array(fc.tuple(keyText, valueText, spaceText), { maxLength: 4 })
  .map(fields => `{${fields.map(([key, value, space]) => `${space}"${key}":${space}${value}`).join(',')}}`);

/** Lists of timeslices with repeated fields, as in exports, and of different timeslices. */
const slicesText = fc.oneof(
  fc
    .tuple(
      fc.uniqueArray(keyText, { maxLength: 4 }),
      fc.array(fc.array(valueText, { minLength: 4, maxLength: 4 })),
    )
    .map(([keys, rows]) =>
      rows
        .map(values => `{${keys.map((key, index) => `"${key}": ${values[index]}`).join(', ')}}`)
        .join(',\n '),
    ),
  fc.array(sliceText, { maxLength: 5 }).map(slices => slices.join(',')),
);

const seriesText = fc
  .tuple(fc.json({ maxDepth: 2 }), slicesText, fc.constantFrom('timeslices', 'reset_timeslices', 'series'))
  .map(([other, slices, key]) => `{"stats": ${other}, "${key}": [${slices}], "e": "\\"}]{ü€😀"}`);

const documentText = fc
  .tuple(
    fc.array(
      fc.tuple(
        fc.constantFrom('a', 'b', '__proto__', 'constructor'),
        fc.constantFrom('series', 'series', 's\\u0065ries', 'other'),
        fc.array(fc.oneof(seriesText, fc.json({ maxDepth: 1 })), { maxLength: 3 }),
      ),
      { maxLength: 3 },
    ),
    fc.constantFrom('metrics', 'metrics', 'metr\\u0069cs', 'other'),
    fc.json({ maxDepth: 3 }),
    fc.constantFrom('', '\uFEFF'),
  )
  .map(([families, name, other, mark]) => {
    const texts = families.map(
      ([key, list, series]) => `"${key}": {"type": "x", "${list}": [${series.join(',\n')}]}`,
    );
    return `${mark}{"schema_version": "1.0", "other": ${other},\n "${name}": {${texts.join(',\n ')}}, "z": [{}]}\n`;
  });

const chunkSize = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 10, max: 2000 }));

describe('parseSeriesStream', () => {
  it('returns the value or the error of the JSON parser for every split into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(documentText, chunkSize, async (text, size) => {
        const bytes = encode(text);
        expect(await getOutcome(bytes, size), text).toEqual(parseWhole(bytes));
      }),
      { numRuns: 1000 },
    );
  });

  it('skips the timeslices of some metrics for every split into chunks, and nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(documentText, chunkSize, async (text, size) => {
        const bytes = encode(text);
        const whole = parseWhole(bytes);
        const outcome = await getOutcome(bytes, size, SKIP_A);
        // An error in the skipped text is not found.
        if (typeof whole === 'string' && typeof outcome !== 'string') return;
        expect(emptySlices(structuredClone(outcome)), text).toEqual(emptySlices(whole));
      }),
      { numRuns: 500 },
    );
  });

  it('skips the timeslices of the metrics that are given', async () => {
    const list = '"timeslices": [{"avg": 1, "buckets": {"+Inf": 3}}]';
    const series = `{"labels": {"timeslices": "x"}, ${list}, "reset_${list.slice(1)}, "z": 1}`;
    const text = `{"metrics": {"b": {"series": [${series}]}, "a": {"series": [${series}, ${series}]}}}`;
    const { metrics } = (await parseInChunks(encode(text), 1 << 18, SKIP_A)) as {
      metrics: Record<'a' | 'b', { series: { timeslices: unknown[]; reset_timeslices: unknown[] }[] }>;
    };
    const count = (name: 'a' | 'b') =>
      metrics[name].series.map(({ timeslices, reset_timeslices }) => [
        timeslices.length,
        reset_timeslices.length,
      ]);
    expect([count('b'), count('a')]).toEqual([
      [[1, 1]],
      [
        [0, 0],
        [0, 0],
      ],
    ]);
    expect(metrics.a.series[0]).toMatchObject({ labels: { timeslices: 'x' }, z: 1 });
  });

  it('reports the position of an error after skipped text', async () => {
    const text = wrap('{"timeslices": [{"avg": 1}], "z": 01}');
    expect(await getOutcome(encode(text), 1 << 18, SKIP_A)).toBe(parseWhole(encode(text)));
  });

  it('reports the same problem, line and column as the JSON parser for damaged documents', async () => {
    const damage = fc.record({
      at: fc.nat(),
      removed: fc.constantFrom(0, 1, 1, 2, 1e9),
      inserted: fc.constantFrom(
        '',
        '',
        '{',
        '}',
        '[',
        ']',
        ',',
        '"',
        '\\',
        ':',
        '0',
        'NaN',
        '\n',
        '\u0001',
        '\xff',
      ),
    });
    await fc.assert(
      fc.asyncProperty(documentText, damage, chunkSize, async (text, { at, removed, inserted }, size) => {
        const whole = encode(text);
        const from = at % whole.length;
        const bytes = Buffer.concat([
          whole.subarray(0, from),
          Buffer.from(inserted, 'latin1'),
          whole.subarray(from + removed),
        ]);
        expect(await getOutcome(bytes, size), bytes.toString()).toEqual(parseWhole(bytes));
      }),
      { numRuns: 1500 },
    );
  });

  it.each([
    [
      'a value that is not JSON',
      wrap('{"stats": {"avg": NaN}}'),
      /^cannot parse JSON: NaN is not valid JSON; expected a value \(line 1, column 66\)/,
    ],
    [
      'a truncated series',
      '{"metrics": {"a": {"series": [{"x": 1',
      /^cannot parse JSON: unexpected end of input/,
    ],
    [
      'the first of two problems',
      `{"x": 01, ${wrap('{"y" 1}').slice(1)}`,
      /^cannot parse JSON: number with a leading zero \(line 1, column 7\)/,
    ],
    [
      'a missing comma between series',
      wrap('{"x": 1} {"x": 2}'),
      /unexpected "{"; expected "," or "]" after an item \(line 1, column 57\)/,
    ],
    [
      'nesting that is too deep',
      wrap(`{"x": ${'['.repeat(600)}`),
      /^cannot parse JSON: nested more than 512 levels deep/,
    ],
  ])('reports %s', async (_, text, message) => {
    await expect(parseText(text)).rejects.toThrow(message);
    expect(parseWhole(encode(text))).toMatch(message);
  });

  it('accepts nesting of 512 levels, including the levels around a series', async () => {
    const text = wrap(`{"x": ${'['.repeat(507)}${']'.repeat(507)}}`);
    expect(await parseText(text)).toEqual(parseJson(text).value);
  });

  it('uses the last of two values with the same key', async () => {
    const text =
      '{"metrics": {"a": {"series": [{"x": 1}]}, "a": {"series": [{"x": 2}], "series": [{"x": 3}]}}}';
    expect(await parseText(text, 7)).toEqual({ metrics: { a: { series: [{ x: 3 }] } } });
  });

  it('reports integers that a number cannot represent, in series and outside of them', async () => {
    const stream = (text: string) =>
      async function* () {
        yield encode(text);
      };
    const parse = (text: string) => parseSeriesStream({ name: undefined, stream: stream(text) });
    expect((await parse(wrap('{"x": 9007199254740993}'))).wide).toBe(true);
    expect((await parse('{"x": 9007199254740993}')).wide).toBe(true);
    expect((await parse(wrap('{"timeslices": [{"x": 9007199254740993}]}'))).wide).toBe(true);
    expect((await parse(wrap('{"timeslices": [{"x_ns": 9007199254740993}]}'))).wide).toBe(false);
  });

  it('creates timeslices each time that they are read, as an ordinary property', async () => {
    const document = (await parseText(wrap('{"l": 1, "timeslices": [{"a": 1}, {"a": 2}], "s": 2}'))) as {
      metrics: { a: { series: { timeslices: object[] }[] } };
    };
    const series = document.metrics.a.series[0]!;
    expect(Object.keys(series)).toEqual(['l', 'timeslices', 's']);
    expect(series.timeslices).toEqual([{ a: 1 }, { a: 2 }]);
    expect(series.timeslices).not.toBe(series.timeslices);
    expect(JSON.stringify({ ...series })).toBe('{"l":1,"timeslices":[{"a":1},{"a":2}],"s":2}');
  });

  it('samples the extreme values of timeslices of all combinations of fields', async () => {
    const slices = [
      '{"start_ns": 20, "avg": 2}',
      '{"start_ns": 10, "avg": -5}',
      '{"start_ns": 30, "avg": 0.5}',
      '{"start_ns": 31, "is_complete": false}',
    ];
    const stream = async function* () {
      yield encode(wrap(`{"timeslices": [${slices.join(', ')}]}`));
    };
    const { value, withSamples } = await parseSeriesStream({ name: undefined, stream });
    const read = () =>
      (value as { metrics: { a: { series: { timeslices: { avg?: number }[] }[] } } }).metrics.a.series[0]!
        .timeslices;
    const averages = withSamples(read).map(({ avg }) => avg);
    expect(new Set(averages)).toEqual(new Set([-5, 2, 0.5, undefined]));
    expect(read()).toHaveLength(4);
  });
});
