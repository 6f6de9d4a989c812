import type { Random } from '@org/core';
import { parseDistribution } from './parseDistribution.ts';
import type { ValueDistribution } from './valueDistribution.ts';

/** The lengths of prompts and responses that belong together, in tokens. */
export interface LengthPair {
  readonly input: ValueDistribution;
  readonly output: ValueDistribution;
  /** Percentage of the turns with these lengths. */
  readonly percent: number;
}

/** Largest difference between 100 and the sum of percentages, for rounded numbers such as 33.33. */
const MAX_PERCENT_ERROR = 0.1;

/** Draws a pair with its probability. */
export function drawPair(pairs: readonly LengthPair[], random: Random): LengthPair {
  const total = pairs.reduce((sum, { percent }) => sum + percent, 0);
  let rest = random.next() * total;
  for (const pair of pairs) {
    rest -= pair.percent;
    if (rest < 0) return pair;
  }
  return pairs.at(-1)!;
}

/**
 * Parses lengths in one of the formats of AIPerf: `ISL,OSL:PERCENT;...`, `[(ISL,OSL):PERCENT,...]`, or JSON such as
 * `{"pairs": [{"isl": 256, "osl": 128, "prob": 100}]}`. A standard deviation may follow a length, as in `256|10`; in
 * JSON, a length may be a distribution.
 * Throws RangeError if the text is invalid, or if the percentages do not add up to 100.
 */
export function parseLengthMix(text: string): readonly LengthPair[] {
  const pairs = text.trimStart().startsWith('{') ? parseJsonPairs(text) : parsePairs(text);
  const sum = pairs.reduce((total, { percent }) => total + percent, 0);
  if (Math.abs(sum - 100) > MAX_PERCENT_ERROR)
    throw new RangeError(`the percentages add up to ${sum}; expected 100`);
  return pairs;
}

const EXPECTED = 'expected ISL,OSL:PERCENT;..., such as 128,64:40;512,128:60';

function parsePairs(text: string): LengthPair[] {
  const [, inner] = /^\s*\[(.*)\]\s*$/s.exec(text) ?? [];
  const items = inner === undefined ? text.split(';') : splitBrackets(inner);
  const parts = items.map(item => item.trim()).filter(item => item !== '');
  if (parts.length === 0) throw new RangeError(`no lengths; ${EXPECTED}`);
  return parts.map(parsePair);
}

/** Splits `(1,2):50,(3,4):50` after each percentage. */
function splitBrackets(text: string): string[] {
  return text.split(/,(?=\s*\()/).map(item => item.replace(/[()]/g, ''));
}

const NUMBER = String.raw`\d+(?:\.\d+)?|\.\d+`;
const LENGTH = String.raw`\s*(${NUMBER})\s*(?:\|\s*(${NUMBER})\s*)?`;
const PAIR = new RegExp(`^${LENGTH},${LENGTH}:\\s*(${NUMBER})$`);

function parsePair(text: string): LengthPair {
  const match = PAIR.exec(text);
  if (!match) throw new RangeError(`invalid lengths ${JSON.stringify(text)}; ${EXPECTED}`);
  const [isl, islStddev = 0, osl, oslStddev = 0, percent] = match
    .slice(1)
    .map(part => (part === undefined ? undefined : Number(part)));
  return createPair(isl!, islStddev, osl!, oslStddev, percent!);
}

function parseJsonPairs(text: string): LengthPair[] {
  let pairs: unknown;
  try {
    pairs = (JSON.parse(text) as { readonly pairs?: unknown }).pairs;
  } catch {
    throw new RangeError('the lengths are not valid JSON');
  }
  if (!Array.isArray(pairs) || pairs.length === 0)
    throw new RangeError('expected JSON with a list "pairs" of objects with isl, osl and prob');
  return pairs.map((pair: Readonly<Record<string, unknown>> | null) => {
    const { isl, isl_stddev: islStddev, osl, osl_stddev: oslStddev, prob } = pair ?? {};
    if (typeof prob !== 'number' || !(prob >= 0)) throw createPairError(pair, 'expected a number prob');
    return {
      input: readLength(isl, islStddev, pair),
      output: readLength(osl, oslStddev, pair),
      percent: prob,
    };
  });
}

/** Reads a length: a number, with a standard deviation or without, or a distribution. */
function readLength(length: unknown, stddev: unknown, pair: unknown): ValueDistribution {
  const isObject = typeof length === 'object';
  if (!isObject && typeof length !== 'number') throw createPairError(pair, 'expected numbers isl and osl');
  if (isObject && stddev !== undefined)
    throw createPairError(pair, 'expected no standard deviation of a distribution');
  try {
    return parseDistribution(isObject ? length : { mean: length, stddev: stddev ?? 0 });
  } catch (error) {
    throw createPairError(pair, (error as RangeError).message);
  }
}

function createPairError(pair: unknown, problem: string): RangeError {
  return new RangeError(`invalid lengths ${JSON.stringify(pair)}; ${problem}`);
}

function createPair(
  isl: number,
  islStddev: number,
  osl: number,
  oslStddev: number,
  percent: number,
): LengthPair {
  return {
    input: { mean: isl, stddev: islStddev },
    output: { mean: osl, stddev: oslStddev },
    percent,
  };
}
