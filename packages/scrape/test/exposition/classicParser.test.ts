import { describe, expect, it } from 'vitest';
import { parseClassic } from '../../src/exposition/classicParser.ts';
import { runCases } from './support/cases.ts';
import { toPlainFamilies } from './support/plainFamilies.ts';

describe('parseClassic', () => {
  runCases('classic.json', parseClassic);

  it('is strict by default', () => {
    expect(() => parseClassic(Buffer.from('a\n'))).toThrow('line 1');
  });

  it('skips invalid lines in lenient mode, counts all of them and lists the first 20', () => {
    const body = `# TYPE a gauge\na 1\n${'a one\n'.repeat(30)}# TYPE b nothing\na 2\n`;
    const exposition = parseClassic(Buffer.from(body), { strict: false });
    expect(toPlainFamilies(exposition)).toEqual([
      {
        name: 'a',
        type: 'gauge',
        help: '',
        samples: [
          { name: 'a', labels: [], value: 1 },
          { name: 'a', labels: [], value: 2 },
        ],
      },
    ]);
    expect(exposition.badLineCount).toBe(31);
    expect(exposition.badLines).toHaveLength(20);
    expect(exposition.badLines[0]).toMatchObject({
      line: 3,
      text: 'a one',
      reason: 'expected a number, got one',
    });
  });

  it('truncates a long line and the reason in the list of invalid lines', () => {
    const [line] = parseClassic(Buffer.from(`a ${'x'.repeat(10_000)}`), { strict: false }).badLines;
    expect(line!.text.length).toBeLessThan(250);
    expect(line!.reason.length).toBeLessThan(250);
  });

  it('decodes invalid UTF-8 as U+FFFD', () => {
    const { families } = parseClassic(Buffer.from('a{x="\xff"} 1\n', 'latin1'));
    expect(families[0]?.samples[0]?.labels).toEqual([['x', '\ufffd']]);
  });

  it('reports the offsets of values and lines in bytes', () => {
    const body = Buffer.from('# HELP a é\na{x="é"} 12 5\nb\t3\nc 4');
    const { families } = parseClassic(body);
    const offsets = families
      .flatMap(family => family.samples)
      .map(sample => [sample.valueStart, sample.lineEnd]);
    const valueStart = body.indexOf('12');
    expect(offsets).toEqual([
      [valueStart, valueStart + 4],
      [-1, valueStart + 8],
      [body.length - 1, body.length],
    ]);
  });
});
