import { describe, expect, it, test } from 'vitest';
import { parseOpenMetrics } from '../../src/exposition/openMetricsParser.ts';
import { runCases } from './support/cases.ts';
import { toPlainFamilies } from './support/plainFamilies.ts';

describe('parseOpenMetrics', () => {
  runCases('openmetrics.json', parseOpenMetrics);

  it('rejects invalid UTF-8 and names the line', () => {
    const body = Buffer.from('a 1\nb{x="\xff"} 1\n# EOF\n', 'latin1');
    expect(() => parseOpenMetrics(body)).toThrow('line 2: not UTF-8');
    expect(parseOpenMetrics(body, { strict: false }).families[1]?.samples[0]?.labels).toEqual([
      ['x', '\ufffd'],
    ]);
  });

  it('rejects a native histogram without labels in strict mode', () => {
    const body = Buffer.from(
      '# TYPE a histogram\na {count:1,sum:1,schema:0,zero_threshold:0,zero_count:1}\n# EOF\n',
    );
    expect(() => parseOpenMetrics(body)).toThrow('line 2: a native histogram without labels');
    expect(parseOpenMetrics(body, { strict: false }).families[0]?.samples[0]).toMatchObject({ native: true });
  });

  it('reports the offsets of values and lines in bytes', () => {
    const body = Buffer.from('# TYPE a counter\na_total 12 5 # {x="1"} 3\n{"b"} 3\n# EOF\n');
    const samples = parseOpenMetrics(body).families.flatMap(family => family.samples);
    expect(samples.map(sample => [sample.valueStart, sample.lineEnd])).toEqual([
      [body.indexOf('12'), body.indexOf('\n{')],
      [body.indexOf('3\n#'), body.indexOf('\n# EOF')],
    ]);
  });
});

describe('parseOpenMetrics in lenient mode', () => {
  const toSample = (value: number) => ({ name: 'a', labels: [], value });
  const toGauge = (...values: number[]) => ({
    name: 'a',
    type: 'gauge',
    help: '',
    samples: values.map(toSample),
  });

  test.each([
    ['a missing # EOF', '# TYPE a gauge\na 1\n', [toGauge(1)], 0],
    ['lines after # EOF', '# TYPE a gauge\na 1\n# EOF\na 2 1\n', [toGauge(1, 2)], 0],
    ['empty lines and comments', '\n# TYPE a gauge\n# note\n\na 1\n', [toGauge(1)], 0],
    ['an invalid line', '# TYPE a gauge\na 1\na  2\n# EOF\n', [toGauge(1)], 1],
    [
      'a sample that does not fit the type',
      '# TYPE b counter\nb_total -1\n# TYPE a gauge\na 1\n',
      undefined,
      1,
    ],
    ['a repeated family', '# TYPE a gauge\na 1\n# TYPE b gauge\na 2\n', undefined, 0],
    ['metadata after samples', '# TYPE a gauge\na 1\n# TYPE a gauge\na 2 1\n', [toGauge(1), toGauge(2)], 0],
    ['a second TYPE', '# TYPE a counter\n# TYPE a gauge\na 1\n', [toGauge(1)], 0],
    ["the classic format's untyped", '# TYPE a untyped\na 1\n', [{ ...toGauge(1), type: 'unknown' }], 0],
  ])('tolerates %s', (_, text, families, badLineCount) => {
    const exposition = parseOpenMetrics(Buffer.from(text), { strict: false });
    if (families) expect(withoutTimes(toPlainFamilies(exposition))).toEqual(families);
    expect(exposition.badLineCount).toBe(badLineCount);
  });

  it('gives samples that follow another family the type declared for their name', () => {
    const body = '# TYPE a counter\na_total{x="1"} 1\n# TYPE b gauge\nb 1\na_total{x="2"} 2\n# EOF\n';
    const { families } = parseOpenMetrics(Buffer.from(body), { strict: false });
    expect(families.map(({ name, type, samples }) => [name, type, samples.length])).toEqual([
      ['a', 'counter', 1],
      ['b', 'gauge', 1],
      ['a', 'counter', 1],
    ]);
  });

  function withoutTimes(families: ReturnType<typeof toPlainFamilies>) {
    return families.map(family => ({
      ...family,
      samples: family.samples.map(({ timestamp, ...rest }) => rest),
    }));
  }
});
