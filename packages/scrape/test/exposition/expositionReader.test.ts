import { Layout, type Series } from '@org/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ExpositionError } from '../../src/exposition/exposition.ts';
import { ExpositionReader } from '../../src/exposition/expositionReader.ts';

const bytes = (text: string): Buffer => Buffer.from(text, 'utf8');

/** Maps the values of a frame by series name and labels, independent of slots. */
function mapFrame(reader: ExpositionReader, values: Float64Array): Record<string, number> {
  const found: [string, number][] = [];
  for (const series of reader.layout.series) {
    for (const [part, slot] of listSlots(series)) {
      const value = values[slot];
      if (value !== undefined && !Number.isNaN(value)) {
        found.push([
          `${series.family.type} ${series.family.name}${part}${JSON.stringify(series.labels)}`,
          value,
        ]);
      }
    }
  }
  return Object.fromEntries(found);
}

function listSlots(series: Series): [string, number][] {
  if (series.kind === 'scalar') return [['', series.value]];
  const parts: [string, number][] =
    series.kind === 'histogram'
      ? series.buckets.map(({ le, slot }) => [`<=${le}`, slot])
      : series.quantiles.map(({ quantile, slot }) => [`q${quantile}`, slot]);
  return [['_sum', series.sum], ['_count', series.count], ...parts];
}

const values = fc.oneof(
  fc.integer({ min: -5, max: 200_000 }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.constantFrom(
    'NaN',
    '+Inf',
    '-Inf',
    '0.0',
    '1e+06',
    '1.7976931348623157e+308',
    '00012',
    '9007199254740993',
  ),
);
const line = fc.record({
  name: fc.constantFrom('a', 'b_total', 'h_bucket', 'long_name_of_a_metric'),
  label: fc.integer({ min: 0, max: 6 }),
  value: values,
});

function body(lines: readonly { name: string; label: number; value: string }[]): string {
  const seen = new Set<string>();
  const text = lines.map(({ name, label, value }) => {
    const series = name === 'a' && label === 0 ? 'a' : `${name}{x="${label}",model="Q/w"}`;
    if (seen.has(series)) return `# ${series}`;
    seen.add(series);
    return `${series} ${value}`;
  });
  return `# TYPE a gauge\n# HELP b_total Bs\n${text.join('\n')}\n`;
}

describe('incremental reading', () => {
  test('gives the same result as parsing the whole body, whatever changed', () => {
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 12 }),
        fc.array(fc.array(fc.tuple(fc.nat(11), values), { maxLength: 6 }), { minLength: 1, maxLength: 6 }),
        (lines, changes) => {
          const steady = new ExpositionReader(new Layout());
          const now = lines.map(line => ({ ...line }));
          steady.read(bytes(body(now)), 'classic');
          for (const change of changes) {
            for (const [at, value] of change) if (now[at]) now[at].value = value;
            const reading = steady.read(bytes(body(now)), 'classic');
            const fresh = new ExpositionReader(new Layout());
            const expected = fresh.read(bytes(body(now)), 'classic');
            expect(mapFrame(steady, reading.values)).toEqual(mapFrame(fresh, expected.values));
            expect(reading.dropped).toBe(expected.dropped);
            expect(reading.steady).toBe(true);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  test.each<[string, string, string, boolean]>([
    ['a value', 'a 1\nb 2\n', 'a 1\nb 30\n', true],
    ['the last value without a newline', 'a 1\nb 2', 'a 1\nb 31', true],
    ['a timestamp', 'a 1 1000\nb 2 1000\n', 'a 1 1333\nb 3 1333\n', true],
    ['a value before an exemplar', 'a_total 1\n', 'a_total 2\n', true],
    ['a new series', 'a 1\nb 2\n', 'a 1\nb 2\nc 3\n', false],
    ['a removed series', 'a 1\nb 2\n', 'b 2\n', false],
    ['the HELP', '# HELP a x\na 1\n', '# HELP a y\na 1\n', false],
    ['a label', 'a{x="1"} 1\n', 'a{x="2"} 1\n', false],
    ['the order', 'a 1\nb 2\n', 'b 2\na 1\n', false],
    ['tabs, an uncommon form', 'a\t1\n', 'a\t2\n', false],
  ])('%s', (_, before, after, steady) => {
    const reader = new ExpositionReader(new Layout());
    reader.read(bytes(before), 'classic');
    const reading = reader.read(bytes(after), 'classic');
    expect(reading).toMatchObject({ steady, changed: true });
    const fresh = new ExpositionReader(new Layout());
    expect(mapFrame(reader, reading.values)).toEqual(
      mapFrame(fresh, fresh.read(bytes(after), 'classic').values),
    );
  });

  test.each<['classic' | 'openmetrics', string, string]>([
    ['classic', 'a 1', 'a 2 soon'],
    ['classic', 'a 1 1000', 'a 2 soon'],
    ['classic', 'a 1 1000', 'a 1 1000 # {'],
    ['openmetrics', '# TYPE a gauge\na 1', '# TYPE a gauge\na 2 soon'],
    ['openmetrics', '# TYPE a gauge\na 1', '# TYPE a gauge\na 2 # {x="y"} 1'],
    ['openmetrics', '# TYPE a counter\na_total 1 # {x="y"} 1', '# TYPE a counter\na_total 2 # {x="y} 1'],
    ['openmetrics', '# TYPE a counter\na_total 1', '# TYPE a counter\na_total -1'],
    ['openmetrics', '# TYPE a counter\na_total 1', '# TYPE a counter\na_total NaN'],
    ['openmetrics', '# TYPE a stateset\na{a="x"} 1', '# TYPE a stateset\na{a="x"} 2'],
    ['openmetrics', '# TYPE a summary\na_count 1', '# TYPE a summary\na_count 1.5'],
  ])('rejects a changed %s line with an invalid end: %j, %j', (format, before, after) => {
    const around = (lines: string): Buffer => bytes(`# TYPE g gauge\ng 1\n${lines}\n# EOF\n`);
    const reader = new ExpositionReader(new Layout());
    reader.read(around(before), format);
    const reading = reader.read(around(after), format);
    expect(reading).toMatchObject({ badLineCount: 1, samples: 1 });
    expect(mapFrame(reader, reading.values)).toEqual({ 'gauge g[]': 1 });
    expect(reader.read(around(before), format)).toMatchObject({ badLineCount: 0, samples: 2 });
  });

  test('accepts changed exemplars of a counter without parsing the whole body', () => {
    const page = (value: number): Buffer =>
      bytes(`# TYPE a counter\na_total ${value} # {id="${value}"} 0.${value} 1700000000.${value}\n# EOF\n`);
    const reader = new ExpositionReader(new Layout());
    for (const value of [1, 2, 30]) reader.read(page(value), 'openmetrics');
    const reading = reader.read(page(4), 'openmetrics');
    expect(reading.steady).toBe(true);
    expect(mapFrame(reader, reading.values)).toEqual({ 'counter a[]': 4 });
  });

  test('reports equal bodies as unchanged', () => {
    const reader = new ExpositionReader(new Layout());
    reader.read(bytes('a 1\n'), 'classic');
    expect(reader.read(bytes('a 1\n'), 'classic')).toMatchObject({ changed: false, steady: true });
  });

  test('uses the last of two equal samples, even if the first one changes', () => {
    const reader = new ExpositionReader(new Layout());
    reader.read(bytes('a 1\na 2\n'), 'classic');
    expect(reader.read(bytes('a 7\na 2\n'), 'classic').values[0]).toBe(2);
    expect(reader.read(bytes('a 7\na 9\n'), 'classic').values[0]).toBe(9);
  });
});

describe('series', () => {
  const read = (text: string): Record<string, number> => {
    const reader = new ExpositionReader(new Layout());
    return mapFrame(reader, reader.read(bytes(text), 'classic').values);
  };

  test.each<[string, string, Record<string, number>]>([
    [
      'removes _total from the name of a counter',
      '# TYPE a_total counter\na_total 1\n',
      { 'counter a[]': 1 },
    ],
    [
      'keeps the name of a counter without _total',
      '# TYPE nv_count counter\nnv_count 3\n',
      { 'counter nv_count[]': 3 },
    ],
    ['treats a sample without TYPE as unknown', 'a 1\n', { 'unknown a[]': 1 }],
    [
      '_created and _uptime are dropped',
      'a_created 1\nb_uptime 2\nc_uptime_seconds 3\nd 4\n',
      { 'unknown d[]': 4 },
    ],
    [
      'distinguishes series by type',
      '# TYPE a_total counter\na_total 1\n# TYPE a gauge\na 2\n',
      { 'counter a[]': 1, 'gauge a[]': 2 },
    ],
    [
      'matches bounds as numbers',
      '# TYPE h histogram\nh_bucket{le="1"} 1\nh_bucket{le="1.0"} 2\nh_bucket{le="+Inf"} 3\nh_sum 4\nh_count 3\n',
      {
        'histogram h_sum[]': 4,
        'histogram h_count[]': 3,
        'histogram h<=1[]': 2,
        'histogram h<=Infinity[]': 3,
      },
    ],
    [
      'sorts labels and keeps hostile names',
      'a{b="2",__proto__="p",a="1"} 1\n',
      { 'unknown a[["__proto__","p"],["a","1"],["b","2"]]': 1 },
    ],
    [
      'skips a bucket without a bound',
      '# TYPE h histogram\nh_bucket 1\nh_bucket{le="x"} 1\nh_sum 4\nh_count 3\n',
      { 'histogram h_sum[]': 4, 'histogram h_count[]': 3 },
    ],
    [
      'a summary',
      '# TYPE s summary\ns{quantile="0.5"} 1\ns_sum 2\ns_count 3\n',
      { 'summary s_sum[]': 2, 'summary s_count[]': 3, 'summary sq0.5[]': 1 },
    ],
  ])('%s', (_, text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  test('separates interleaved histograms of one family', () => {
    const text =
      '# TYPE h histogram\nh_bucket{m="a",le="+Inf"} 1\nh_bucket{m="b",le="+Inf"} 2\nh_sum{m="a"} 3\nh_sum{m="b"} 4\nh_count{m="a"} 1\nh_count{m="b"} 2\n';
    const seen = read(text);
    expect(seen['histogram h_sum[["m","b"]]']).toBe(4);
    expect(seen['histogram h<=Infinity[["m","a"]]']).toBe(1);
    expect(Object.keys(seen)).toHaveLength(6);
  });
});

describe('the first body', () => {
  test('must be in Prometheus format', () => {
    expect(() => new ExpositionReader(new Layout()).read(bytes('a 1\n<html>\n'), 'classic')).toThrow(
      ExpositionError,
    );
  });

  test('may be classic text announced as OpenMetrics', () => {
    const reader = new ExpositionReader(new Layout());
    expect(reader.read(bytes('a 1\nb 2\n'), 'openmetrics').samples).toBe(2);
  });

  test('if mislabelled, determines the format of later bodies', () => {
    const reader = new ExpositionReader(new Layout());
    const text = '# TYPE a counter\na 1\n';
    expect(mapFrame(reader, reader.read(bytes(text), 'openmetrics').values)).toEqual({ 'counter a[]': 1 });
    const later = reader.read(bytes(`${text}b 2\n`), 'openmetrics');
    expect(mapFrame(reader, later.values)).toEqual({ 'counter a[]': 1, 'unknown b[]': 2 });
    expect(later.badLineCount).toBe(0);
  });

  test('may be OpenMetrics announced as text', () => {
    const reader = new ExpositionReader(new Layout());
    const { values } = reader.read(bytes('# TYPE a counter\na_total 5\n# EOF\n'), 'classic');
    expect(mapFrame(reader, values)).toEqual({ 'counter a[]': 5 });
  });

  test('may be OpenMetrics', () => {
    const reader = new ExpositionReader(new Layout());
    const text = '# TYPE a counter\na_total 1 # {trace_id="x"} 0.5\n# TYPE b info\nb_info{v="1"} 1\n# EOF\n';
    const { values } = reader.read(bytes(text), 'openmetrics');
    expect(mapFrame(reader, values)).toEqual({ 'counter a[]': 1, 'gauge b_info[["v","1"]]': 1 });
    const next = reader.read(
      bytes(text.replace('a_total 1', 'a_total 23').replace('0.5', '0.75')),
      'openmetrics',
    );
    expect(next.steady).toBe(true);
    expect(mapFrame(reader, next.values)['counter a[]']).toBe(23);
  });
});
