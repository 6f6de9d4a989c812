import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { parseClassic } from '../../src/exposition/classic.ts';
import { type Exposition, ExpositionError } from '../../src/exposition/exposition.ts';
import { numberOf } from '../../src/exposition/number.ts';
import { parseOpenMetrics } from '../../src/exposition/openmetrics.ts';
import { edited, edits } from './mutation.ts';
import { plainFamilies } from './plain.ts';
import { sharedTexts } from './shared.ts';

/** Always there, so that this test never runs empty. */
const OWN = [
  '# HELP a b\n# TYPE a counter\na_total{x="1",y="é"} 1 5\n# TYPE h histogram\nh_bucket{le="+Inf"} 1\nh_sum 1\nh_count 1\n',
  '# TYPE a counter\n# UNIT a_s s\na_total{x="1"} 1 5.5 # {t="x"} 1 2\n# TYPE s stateset\ns{s="on"} 1\n{"q.r"} 1\n# EOF\n',
].map(text => Buffer.from(text));

const READERS = { classic: parseClassic, openmetrics: parseOpenMetrics };

function strictly(parse: typeof parseClassic, body: Buffer): Exposition | undefined {
  try {
    return parse(body, { strict: true });
  } catch (error) {
    if (error instanceof ExpositionError) return undefined;
    throw error;
  }
}

/** Where a sample is said to be, its value is; and lenient mode reads what strict mode does. */
function check(body: Buffer): void {
  for (const parse of Object.values(READERS)) {
    const lenient = parse(body, { strict: false });
    for (const sample of lenient.families.flatMap(family => family.samples)) {
      expect(sample.lineEnd === body.length || body[sample.lineEnd] === 10).toBe(true);
      if (sample.valueStart === -1) continue;
      const [word] = body.toString('latin1', sample.valueStart, sample.lineEnd).split(' ');
      expect(numberOf(word!)).toBe(sample.value);
    }
    const strict = strictly(parse, body);
    if (!strict) continue;
    expect(lenient.badLineCount).toBe(0);
    expect(plainFamilies(lenient)).toEqual(plainFamilies(strict));
  }
}

describe('changed bodies', () => {
  const texts = sharedTexts().filter(text => text.length < 20_000);

  it('are read or rejected, and nothing else', () => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    fc.assert(
      fc.property(fc.constantFrom(...OWN, ...texts), edits, (text, changes) => check(edited(text, changes))),
      { seed: 20_250_301, numRuns: 2500 },
    );
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
  });

  it('of any bytes at all are, too', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), bytes => check(Buffer.from(bytes))),
      { seed: 20_250_302, numRuns: 2000 },
    );
  });
});

/** Each would take minutes if reading took more than linear time. The fuzz bench has longer ones. */
describe('long bodies are read in the end', () => {
  const many = 50_000;
  const long = 1_000_000;
  test.each<[string, string, number, number]>([
    ['a line of many labels', `a{${list(many, i => `l${i}="v"`)}} 1\n`, 1, 0],
    ['a line of the same label', `a{${list(many, () => 'x="v"')}} 1\n`, 0, 1],
    ['many families', lines(many, i => `# TYPE f${i} gauge\nf${i} 1\n`), many, 0],
    ['the same comment again and again', `${'# HELP a text\n'.repeat(many)}a 1\n`, 1, 0],
    ['many bad lines', '"\n'.repeat(many), 0, many],
    ['a long name', `${'a'.repeat(long)} 1\n`, 1, 0],
    ['a long value', `a ${'1'.repeat(long)}\n`, 1, 0],
    ['a long row of values', `a${' 1'.repeat(long)}\n`, 1, 0],
    ['a long row of blanks', `a${' '.repeat(long)}1\n`, 1, 0],
    ['a long row of blanks and no value', `a${' '.repeat(long)}b c\n`, 0, 1],
    ['a long label', `a{x="${'\\\\é'.repeat(long)}"} 1\n`, 1, 0],
    ['a label that does not end', `a{x="${'\\"'.repeat(long)}} 1\n`, 0, 1],
    ['spans', `# TYPE a histogram\na{x="1"} {positive_spans:[${'1:1,'.repeat(long)}1:1]}\n`, 0, 1],
    ['braces', `a${'{'.repeat(long)}\n`, 0, 1],
    ['quotes', `${'"'.repeat(long)}\n`, 0, 1],
    ['commas', `a{${','.repeat(long)}} 1\n`, 0, 1],
    ['exemplars', `a 1${' # {} 1'.repeat(many)}\n`, 1, 0],
  ])('%s', (_, text, samples, badLineCount) => {
    const body = Buffer.from(text);
    const classic = parseClassic(body, { strict: false });
    expect(classic.families.flatMap(family => family.samples)).toHaveLength(samples);
    expect(classic.badLineCount).toBe(badLineCount);
    expect(() => strictly(parseOpenMetrics, body)).not.toThrow();
    expect(parseOpenMetrics(body, { strict: false }).badLineCount).toBeLessThanOrEqual(many);
  });

  function list(length: number, item: (index: number) => string): string {
    return Array.from({ length }, (_, index) => item(index)).join(',');
  }

  function lines(length: number, item: (index: number) => string): string {
    return Array.from({ length }, (_, index) => item(index)).join('');
  }
});
