import { Layout } from '@org/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ExpositionError } from '../../src/exposition/exposition.ts';
import { ExpositionReader } from '../../src/exposition/expositionReader.ts';
import { mapFrame } from './support/frames.ts';

const toBytes = (text: string): Buffer => Buffer.from(text, 'utf8');

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

function formatBody(lines: readonly { name: string; label: number; value: string }[]): string {
  const usedSeries = new Set<string>();
  const text = lines.map(({ name, label, value }) => {
    const series = name === 'a' && label === 0 ? 'a' : `${name}{x="${label}",model="Q/w"}`;
    if (usedSeries.has(series)) return `# ${series}`;
    usedSeries.add(series);
    return `${series} ${value}`;
  });
  return `# TYPE a gauge\n# HELP b_total Bs\n${text.join('\n')}\n`;
}

describe('incremental reading', () => {
  test('returns the same result as parsing the whole body, for any changes of values', () => {
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 12 }),
        fc.array(fc.array(fc.tuple(fc.nat(11), values), { maxLength: 6 }), { minLength: 1, maxLength: 6 }),
        (lines, changes) => {
          const incremental = new ExpositionReader(new Layout());
          const current = lines.map(line => ({ ...line }));
          incremental.read(toBytes(formatBody(current)), 'classic');
          for (const change of changes) {
            for (const [index, value] of change) if (current[index]) current[index].value = value;
            const reading = incremental.read(toBytes(formatBody(current)), 'classic');
            const fresh = new ExpositionReader(new Layout());
            const expected = fresh.read(toBytes(formatBody(current)), 'classic');
            expect(mapFrame(incremental.layout, reading.values)).toEqual(
              mapFrame(fresh.layout, expected.values),
            );
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
    ['a value after a tab, which is uncommon', 'a\t1\n', 'a\t2\n', false],
  ])('returns the same as a full parse after a change: %s', (_, before, after, steady) => {
    const reader = new ExpositionReader(new Layout());
    reader.read(toBytes(before), 'classic');
    const reading = reader.read(toBytes(after), 'classic');
    expect(reading).toMatchObject({ steady, changed: true });
    const fresh = new ExpositionReader(new Layout());
    expect(mapFrame(reader.layout, reading.values)).toEqual(
      mapFrame(fresh.layout, fresh.read(toBytes(after), 'classic').values),
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
    const wrapLines = (lines: string): Buffer => toBytes(`# TYPE g gauge\ng 1\n${lines}\n# EOF\n`);
    const reader = new ExpositionReader(new Layout());
    reader.read(wrapLines(before), format);
    const reading = reader.read(wrapLines(after), format);
    expect(reading).toMatchObject({ badLineCount: 1, samples: 1 });
    expect(mapFrame(reader.layout, reading.values)).toEqual({ 'gauge g[]': 1 });
    expect(reader.read(wrapLines(before), format)).toMatchObject({ badLineCount: 0, samples: 2 });
  });

  test('accepts changed exemplars of a counter without parsing the whole body', () => {
    const formatCounterPage = (value: number): Buffer =>
      toBytes(`# TYPE a counter\na_total ${value} # {id="${value}"} 0.${value} 1700000000.${value}\n# EOF\n`);
    const reader = new ExpositionReader(new Layout());
    for (const value of [1, 2, 30]) reader.read(formatCounterPage(value), 'openmetrics');
    const reading = reader.read(formatCounterPage(4), 'openmetrics');
    expect(reading.steady).toBe(true);
    expect(mapFrame(reader.layout, reading.values)).toEqual({ 'counter a[]': 4 });
  });

  test('reports equal bodies as unchanged', () => {
    const reader = new ExpositionReader(new Layout());
    reader.read(toBytes('a 1\n'), 'classic');
    expect(reader.read(toBytes('a 1\n'), 'classic')).toMatchObject({ changed: false, steady: true });
  });

  test('uses the last of two equal samples, even if the first one changes', () => {
    const reader = new ExpositionReader(new Layout());
    reader.read(toBytes('a 1\na 2\n'), 'classic');
    expect(reader.read(toBytes('a 7\na 2\n'), 'classic').values[0]).toBe(2);
    expect(reader.read(toBytes('a 7\na 9\n'), 'classic').values[0]).toBe(9);
  });
});

describe('the first body', () => {
  test('must be in Prometheus format', () => {
    expect(() => new ExpositionReader(new Layout()).read(toBytes('a 1\n<html>\n'), 'classic')).toThrow(
      ExpositionError,
    );
  });

  test('may be classic text with the content type of OpenMetrics', () => {
    const reader = new ExpositionReader(new Layout());
    expect(reader.read(toBytes('a 1\nb 2\n'), 'openmetrics').samples).toBe(2);
  });

  test('determines the format of later bodies if its content type is wrong', () => {
    const reader = new ExpositionReader(new Layout());
    const text = '# TYPE a counter\na 1\n';
    expect(mapFrame(reader.layout, reader.read(toBytes(text), 'openmetrics').values)).toEqual({
      'counter a[]': 1,
    });
    const laterReading = reader.read(toBytes(`${text}b 2\n`), 'openmetrics');
    expect(mapFrame(reader.layout, laterReading.values)).toEqual({ 'counter a[]': 1, 'unknown b[]': 2 });
    expect(laterReading.badLineCount).toBe(0);
  });

  test('may be OpenMetrics with the content type of classic text', () => {
    const reader = new ExpositionReader(new Layout());
    const { values } = reader.read(toBytes('# TYPE a counter\na_total 5\n# EOF\n'), 'classic');
    expect(mapFrame(reader.layout, values)).toEqual({ 'counter a[]': 5 });
  });

  test('may be OpenMetrics', () => {
    const reader = new ExpositionReader(new Layout());
    const text = '# TYPE a counter\na_total 1 # {trace_id="x"} 0.5\n# TYPE b info\nb_info{v="1"} 1\n# EOF\n';
    const { values } = reader.read(toBytes(text), 'openmetrics');
    expect(mapFrame(reader.layout, values)).toEqual({ 'counter a[]': 1, 'gauge b_info[["v","1"]]': 1 });
    const next = reader.read(
      toBytes(text.replace('a_total 1', 'a_total 23').replace('0.5', '0.75')),
      'openmetrics',
    );
    expect(next.steady).toBe(true);
    expect(mapFrame(reader.layout, next.values)['counter a[]']).toBe(23);
  });
});
