import { isDeepStrictEqual } from 'node:util';
import {
  type Exemplar,
  ExpositionError,
  parseClassic,
  parseOpenMetrics,
  type Sample,
} from '@org/scrape/exposition';
import { type Case, type ExpectedNumber, type ExpectedSample, isClassic, type Verdict } from './case.ts';

/** The actual result of parsing a case in strict mode, in the format of the expected result. */
export interface Outcome extends Verdict {
  /** Reason for a rejection. */
  readonly reason?: string;
}

/** Parses the text of a case in strict mode. Rethrows errors other than ExpositionError, which are bugs. */
export function parseCaseText(test: Case): Outcome {
  const parse = isClassic(test) ? parseClassic : parseOpenMetrics;
  try {
    const { families } = parse(new TextEncoder().encode(test.text), { strict: true });
    return {
      should_parse: true,
      families: families.map(family => ({ ...family, samples: family.samples.map(toExpectedSample) })),
    };
  } catch (error) {
    if (!(error instanceof ExpositionError)) throw error;
    return { should_parse: false, reason: error.message };
  }
}

/** Describes the first difference between an outcome and a verdict. Returns undefined if they agree. */
export function describeDifference(outcome: Outcome, verdict: Verdict): string | undefined {
  if (outcome.should_parse !== verdict.should_parse) {
    return outcome.should_parse
      ? 'accepted; expected a rejection'
      : `rejected; expected acceptance: ${outcome.reason}`;
  }
  const actual = outcome.families ?? [];
  const expected = verdict.families ?? [];
  for (let i = 0; i < Math.max(actual.length, expected.length); i++) {
    if (!isDeepStrictEqual(toComparable(actual[i]), toComparable(expected[i]))) {
      return `family ${i} is ${formatJson(actual[i])}, expected ${formatJson(expected[i])}`;
    }
  }
  return undefined;
}

/**
 * Converts a family to plain objects without undefined fields. Labels become lists, so that their order is
 * compared.
 */
function toComparable(family: unknown): unknown {
  return family === undefined ? undefined : JSON.parse(formatJson(family));
}

function formatJson(family: unknown): string {
  return (
    JSON.stringify(family, (key, value) => (key === 'labels' ? Object.entries(value) : value)) ?? 'missing'
  );
}

function toExpectedSample(sample: Sample): ExpectedSample {
  const { name, labels, value, timestamp, exemplar, native } = sample;
  return {
    name,
    labels: toLabelRecord(labels),
    value: native ? null : toExpectedNumber(value),
    ...(timestamp !== undefined && { timestamp: toExpectedNumber(timestamp) }),
    ...(exemplar && { exemplar: toExpectedExemplar(exemplar) }),
    ...(native && { native_histogram: true }),
  };
}

function toExpectedExemplar({ labels, value, timestamp }: Exemplar): Omit<ExpectedSample, 'name'> {
  return {
    labels: toLabelRecord(labels),
    value: toExpectedNumber(value),
    ...(timestamp !== undefined && { timestamp: toExpectedNumber(timestamp) }),
  };
}

function toLabelRecord(labels: Sample['labels']): Record<string, string> {
  return Object.fromEntries(labels);
}

function toExpectedNumber(value: number): ExpectedNumber {
  if (Number.isFinite(value)) return value;
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}
