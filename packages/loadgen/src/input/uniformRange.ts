import type { Random } from '@org/core';

/** A range of equally likely lengths. */
export interface UniformRange {
  readonly min: number;
  readonly max: number;
}

/** Ranges of the lengths of prompts and responses, in tokens. */
export interface LengthRange {
  readonly input: UniformRange;
  readonly output: UniformRange;
}

/** The tools whose rule determines a range. */
export const RANGE_STYLES = ['vllm', 'sglang'] as const;
export type RangeStyle = (typeof RANGE_STYLES)[number];

/** Mean lengths, in tokens. */
export interface MeanLengths {
  readonly input: number;
  readonly output: number;
}

/** Draws an integer from a range. */
export function drawFromRange({ min, max }: UniformRange, random: Random): number {
  return min + random.below(max - min + 1);
}

/**
 * Parses a ratio, such as `0.3`, or two ratios, such as `{"input": 0.3, "output": 0.5}`, and returns the ranges around
 * the mean lengths. With the rule of vLLM, a range is from `mean * (1 - ratio)` to `mean * (1 + ratio)`; with the rule of
 * SGLang, from `mean * ratio` to `mean`. Throws RangeError if the text is invalid.
 */
export function parseRangeRatio(text: string, means: MeanLengths, style: RangeStyle): LengthRange {
  const ratios = text.trimStart().startsWith('{') ? parseRatios(text, style) : parseRatio(text);
  const createRange = style === 'vllm' ? createSymmetricRange : createLowerRange;
  const input = createRange(means.input, checkRatio(ratios.input, style));
  const output = createRange(means.output, checkRatio(ratios.output, style));
  return { input, output };
}

type Ratios = Readonly<Record<'input' | 'output', unknown>>;

function parseRatio(text: string): Ratios {
  const ratio = text.trim() === '' ? Number.NaN : Number(text);
  return { input: ratio, output: ratio };
}

function parseRatios(text: string, style: RangeStyle): Ratios {
  if (style === 'sglang') throw new RangeError('expected one number with the style sglang');
  try {
    const { input, output } = JSON.parse(text) as Partial<Ratios>;
    return { input, output };
  } catch {
    throw new RangeError('the ratios are not valid JSON');
  }
}

function checkRatio(ratio: unknown, style: RangeStyle): number {
  const isValid = typeof ratio === 'number' && ratio >= 0 && (style === 'vllm' ? ratio < 1 : ratio <= 1);
  if (isValid) return ratio;
  throw new RangeError(
    style === 'vllm'
      ? 'expected a number from 0 to less than 1, or {"input": RATIO, "output": RATIO}'
      : 'expected a number from 0 to 1',
  );
}

function createSymmetricRange(mean: number, ratio: number): UniformRange {
  return {
    min: Math.max(1, Math.floor(mean * (1 - ratio))),
    max: Math.max(1, Math.ceil(mean * (1 + ratio))),
  };
}

function createLowerRange(mean: number, ratio: number): UniformRange {
  return { min: Math.max(1, Math.floor(mean * ratio)), max: mean };
}
