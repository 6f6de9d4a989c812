import type { Random } from '@org/core';
import type { NormalDistribution } from './normalDistribution.ts';

/** The lengths of prompts and responses that belong together, in tokens. */
export interface LengthPair {
  readonly input: NormalDistribution;
  readonly output: NormalDistribution;
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
 * `{"pairs": [{"isl": 256, "osl": 128, "prob": 100}]}`. A standard deviation may follow a length, as in `256|10`.
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
    const { isl, isl_stddev = 0, osl, osl_stddev = 0, prob } = pair ?? {};
    const values = [isl, isl_stddev, osl, osl_stddev, prob];
    if (!values.every(value => typeof value === 'number' && value >= 0))
      throw new RangeError(`invalid lengths ${JSON.stringify(pair)}; expected numbers isl, osl and prob`);
    const [input, inputStddev, output, outputStddev, percent] = values as number[];
    return createPair(input!, inputStddev!, output!, outputStddev!, percent!);
  });
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
