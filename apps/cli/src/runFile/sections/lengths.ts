import type { Path } from '@org/terminal/userFile';
import { type Component, distribution, readComponents } from '../distribution.ts';
import { type Field, getField, isMapping, type RunFileReader } from '../field.ts';

const INPUT = distribution('synthetic-input-tokens-mean', 'synthetic-input-tokens-stddev');
const OUTPUT = distribution('output-tokens-mean', 'output-tokens-stddev');

/** A length of the file: its value and its path. */
interface Length {
  readonly value: unknown;
  readonly path: Path;
}

/**
 * Reads the lengths of prompts and responses. Lengths with several peaks become pairs of --seq-dist: both are drawn
 * independently, so that the share of a pair is the product of the shares.
 */
export function readLengths(
  input: Length | undefined,
  output: Length | undefined,
  reader: RunFileReader,
): void {
  if (!hasSeveralPeaks(input?.value) && !hasSeveralPeaks(output?.value)) {
    if (input) INPUT(input.value, input.path, reader);
    if (output) OUTPUT(output.value, output.path, reader);
    return;
  }
  const path = (hasSeveralPeaks(input?.value) ? input : output)!.path;
  if (!input || !output) {
    reader.report(path, 'has several peaks, and requires a length of both prompts and responses');
    return;
  }
  const inputs = readComponents(input.value, input.path, reader);
  const outputs = readComponents(output.value, output.path, reader);
  if (inputs && outputs) reader.set('seq-dist', [formatPairs(combine(inputs, outputs))], path);
}

function hasSeveralPeaks(value: unknown): boolean {
  return isMapping(value) && (value.peaks !== undefined || value.points !== undefined);
}

interface Pair {
  readonly input: Component;
  readonly output: Component;
  readonly weight: number;
}

function combine(inputs: readonly Component[], outputs: readonly Component[]): Pair[] {
  return inputs.flatMap(input =>
    outputs.map(output => ({ input, output, weight: input.weight * output.weight })),
  );
}

/** Formats pairs for --seq-dist, whose shares add up to 100. */
function formatPairs(pairs: readonly Pair[]): string {
  const total = pairs.reduce((sum, { weight }) => sum + weight, 0);
  return pairs
    .filter(({ weight }) => weight > 0)
    .map(({ input, output, weight }) => {
      const percent = Number(((100 * weight) / total).toFixed(6));
      return `${formatLength(input)},${formatLength(output)}:${percent}`;
    })
    .join(';');
}

function formatLength({ mean, stddev }: Component): string {
  return stddev > 0 ? `${mean}|${stddev}` : String(mean);
}

/** Reads `sequenceDistribution`: pairs of lengths with their shares. */
export const sequenceDistribution: Field = (value, path, reader) => {
  if (!Array.isArray(value)) return reader.report(path, 'has an unexpected type; expected a list of pairs');
  const pairs = value.flatMap((item, index) => {
    const itemPath = [...path, index];
    if (!isMapping(item)) {
      reader.report(itemPath, 'has an unexpected type; expected isl, osl and probability');
      return [];
    }
    const [input, output, probability] = ['isl', 'osl', 'probability'].map(name => getField(item, name));
    if (!input || !output || !probability) {
      reader.report(itemPath, 'is incomplete; expected isl, osl and probability');
      return [];
    }
    const inputs = readComponents(withStddev(item, input.value, 'islStddev'), [...itemPath, 'isl'], reader);
    const outputs = readComponents(withStddev(item, output.value, 'oslStddev'), [...itemPath, 'osl'], reader);
    const weight = Number(probability.value);
    if (!Number.isFinite(weight)) reader.report([...itemPath, probability.key], 'is not a number');
    const parts = combine(inputs ?? [], outputs ?? []);
    const total = parts.reduce((sum, part) => sum + part.weight, 0);
    return parts.map(part => ({ ...part, weight: (weight * part.weight) / total }));
  });
  if (pairs.length > 0) reader.set('seq-dist', [formatPairs(pairs)], path);
};

function withStddev(item: Readonly<Record<string, unknown>>, mean: unknown, name: string): unknown {
  const stddev = getField(item, name)?.value;
  return stddev === undefined || isMapping(mean) ? mean : { mean, stddev };
}
