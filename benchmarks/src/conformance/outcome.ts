import { isDeepStrictEqual } from 'node:util';
import {
  type Exemplar,
  ExpositionError,
  parseClassic,
  parseOpenMetrics,
  type Sample,
} from '@org/scrape/exposition';
import { type Case, type ExpectedNumber, type ExpectedSample, isClassic, type Verdict } from './case.ts';

/** How a strict read of a case's text ended, in the terms of the cases. */
export interface Outcome extends Verdict {
  /** Why the text was rejected. */
  readonly reason?: string;
}

/** Reads the text of a case. An error that is not a rejection goes through: it is a defect. */
export function outcomeOf(test: Case): Outcome {
  const parse = isClassic(test) ? parseClassic : parseOpenMetrics;
  try {
    const { families } = parse(new TextEncoder().encode(test.text), { strict: true });
    return {
      should_parse: true,
      families: families.map(family => ({ ...family, samples: family.samples.map(asExpected) })),
    };
  } catch (error) {
    if (!(error instanceof ExpositionError)) throw error;
    return { should_parse: false, reason: error.message };
  }
}

/** What differs between an outcome and a verdict; undefined when nothing does. */
export function difference(outcome: Outcome, verdict: Verdict): string | undefined {
  if (outcome.should_parse !== verdict.should_parse) {
    return outcome.should_parse
      ? 'accepted, should be rejected'
      : `rejected, should be accepted: ${outcome.reason}`;
  }
  const ours = outcome.families ?? [];
  const theirs = verdict.families ?? [];
  for (let i = 0; i < Math.max(ours.length, theirs.length); i++) {
    if (!isDeepStrictEqual(comparable(ours[i]), comparable(theirs[i]))) {
      return `family ${i} is ${print(ours[i])}, should be ${print(theirs[i])}`;
    }
  }
  return undefined;
}

/** Plain objects without a prototype's help, numbers as numbers, and nothing that is merely undefined. */
function comparable(family: unknown): unknown {
  return family === undefined ? undefined : JSON.parse(print(family));
}

function print(family: unknown): string {
  return (
    JSON.stringify(family, (key, value) => (key === 'labels' ? Object.entries(value) : value)) ?? 'missing'
  );
}

function asExpected(sample: Sample): ExpectedSample {
  const { name, labels, value, timestamp, exemplar, native } = sample;
  return {
    name,
    labels: labelsOf(labels),
    value: native ? null : spelled(value),
    ...(timestamp !== undefined && { timestamp: spelled(timestamp) }),
    ...(exemplar && { exemplar: exemplarOf(exemplar) }),
    ...(native && { native_histogram: true }),
  };
}

function exemplarOf({ labels, value, timestamp }: Exemplar): Omit<ExpectedSample, 'name'> {
  return {
    labels: labelsOf(labels),
    value: spelled(value),
    ...(timestamp !== undefined && { timestamp: spelled(timestamp) }),
  };
}

function labelsOf(labels: Sample['labels']): Record<string, string> {
  return Object.fromEntries(labels);
}

function spelled(value: number): ExpectedNumber {
  if (Number.isFinite(value)) return value;
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
}
