import { describe, expect, test } from 'vitest';
import { parseClassic } from '../../src/exposition/classicParser.ts';
import { ExpositionError } from '../../src/exposition/exposition.ts';
import { parseOpenMetrics } from '../../src/exposition/openMetricsParser.ts';
import { type PlainFamily, type PlainSample, toPlainFamilies } from './support/plainFamilies.ts';
import { readSharedLines } from './support/sharedData.ts';

type SpelledNumber = number | 'NaN' | '+Inf' | '-Inf';

interface ExpectedSample {
  name: string;
  labels: Record<string, string>;
  value: SpelledNumber | null;
  timestamp?: SpelledNumber;
  exemplar?: { labels: Record<string, string>; value: SpelledNumber; timestamp?: SpelledNumber };
  native_histogram?: true;
}

interface Verdict {
  should_parse: boolean;
  families?: { name: string; type: string; help: string; unit?: string; samples: ExpectedSample[] }[];
}

interface Case extends Verdict {
  id: string;
  text: string;
  agreed?: boolean;
  latest?: Verdict;
}

/** Lists the accepted results. If two versions of prometheus_client disagree, both results are accepted. */
function listVerdicts(test: Case): Verdict[] {
  return test.agreed === false && test.latest ? [test, test.latest] : [test];
}

function parseNumber(spelled: SpelledNumber | null): number {
  if (typeof spelled === 'number') return spelled;
  return spelled === '+Inf' ? Infinity : spelled === '-Inf' ? -Infinity : NaN;
}

function toExpectedFamilies(verdict: Verdict): PlainFamily[] | 'rejected' {
  if (!verdict.should_parse) return 'rejected';
  return verdict.families!.map(family => ({ ...family, samples: family.samples.map(toExpectedSample) }));
}

function toExpectedSample(sample: ExpectedSample): PlainSample {
  const { name, labels, value, timestamp, exemplar, native_histogram } = sample;
  return {
    name,
    labels: Object.entries(labels),
    value: parseNumber(value),
    ...(timestamp !== undefined && { timestamp: parseNumber(timestamp) }),
    ...(exemplar && {
      exemplar: {
        labels: Object.entries(exemplar.labels),
        value: parseNumber(exemplar.value),
        ...(exemplar.timestamp !== undefined && { timestamp: parseNumber(exemplar.timestamp) }),
      },
    }),
    ...(native_histogram && { native: true }),
  };
}

describe.each([
  ['classic', parseClassic],
  ['openmetrics', parseOpenMetrics],
] as const)('shared %s cases', (format, parse) => {
  const cases = readSharedLines<Case>(`conformance/${format}.jsonl`);

  function read(text: string): PlainFamily[] | 'rejected' {
    try {
      return toPlainFamilies(parse(Buffer.from(text), { strict: true }));
    } catch (error) {
      if (error instanceof ExpositionError) return 'rejected';
      throw error;
    }
  }

  test.each(cases)('$id', conformanceCase => {
    expect(listVerdicts(conformanceCase).map(toExpectedFamilies)).toContainEqual(read(conformanceCase.text));
  });

  test.skipIf(cases.length === 0)('reads the same samples in lenient mode as in strict mode', () => {
    for (const { text } of cases) {
      const strict = read(text);
      if (strict !== 'rejected') {
        expect(toPlainFamilies(parse(Buffer.from(text), { strict: false }))).toEqual(strict);
      }
    }
  });
});
