import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseClassic } from '../../src/exposition/classicParser.ts';
import type { Exposition } from '../../src/exposition/exposition.ts';
import { parseOpenMetrics } from '../../src/exposition/openMetricsParser.ts';
import { strip } from '../../src/exposition/whitespace.ts';
import { exemplar, family, hostileText } from './support/hostileBodies.ts';
import { type PlainFamily, toPlainFamilies } from './support/plainFamilies.ts';
import { printClassic, printOpenMetrics } from './support/printer.ts';

const RUNS = { numRuns: 400 };

function addExemplars(
  drawn: PlainFamily,
  exemplars: PlainFamily['samples'][number]['exemplar'][],
): PlainFamily {
  if (drawn.type !== 'counter') return drawn;
  const samples = drawn.samples.map((sample, index) => {
    const exemplar = exemplars[index % (exemplars.length + 1)];
    return exemplar ? { ...sample, exemplar } : sample;
  });
  return { ...drawn, samples };
}

describe('printed bodies are read back', () => {
  it('in the classic format', () => {
    fc.assert(
      fc.property(family, drawn => {
        const family = { ...drawn, help: strip(drawn.help) }; // surrounding blanks are not part of HELP
        expect(toPlainFamilies(parseClassic(Buffer.from(printClassic(family))))).toEqual([family]);
      }),
      RUNS,
    );
  });

  it('in OpenMetrics', () => {
    fc.assert(
      fc.property(family, fc.array(exemplar, { maxLength: 3 }), (drawn, exemplars) => {
        const expected = addExemplars(drawn, exemplars);
        const body = `${printOpenMetrics(expected)}# EOF\n`;
        expect(toPlainFamilies(parseOpenMetrics(Buffer.from(body)))).toEqual([expected]);
      }),
      RUNS,
    );
  });
});

/** Rewrites a sample line in an equivalent form that only the general reader accepts. */
const UNUSUAL = {
  classic: (line: string) => ` ${line}`,
  openmetrics: (line: string) => {
    const hasNoLabels = /^[\w:]+ /.test(line);
    return hasNoLabels ? line.replace(' ', '{ } ') : line.replace('{', '{ ');
  },
};

describe('the fast reader agrees with the general reader', () => {
  it.each([
    ['classic', parseClassic, printClassic, ''],
    ['openmetrics', parseOpenMetrics, printOpenMetrics, '# EOF\n'],
  ] as const)('in %s', (format, parse, print, end) => {
    const read = (body: string): Exposition => parse(Buffer.from(body));
    fc.assert(
      fc.property(family, drawn => {
        const body = print(drawn);
        const lines = body.split('\n');
        const unusual = lines.map(line => (/^[^#]/.test(line) ? UNUSUAL[format](line) : line)).join('\n');
        const general = read(unusual + end);
        expect(toPlainFamilies(read(body + end))).toEqual(toPlainFamilies(general));
      }),
      RUNS,
    );
  });

  it('for any label values', () => {
    fc.assert(
      fc.property(hostileText, hostileText, (first, second) => {
        const fast = `a{x="${first}",y="${second}"} 1\n`;
        expect(parseOrReject(fast)).toEqual(parseOrReject(` ${fast}`));
      }),
      RUNS,
    );
  });

  function parseOrReject(body: string): unknown {
    try {
      return toPlainFamilies(parseClassic(Buffer.from(body)));
    } catch {
      return 'rejected';
    }
  }
});
