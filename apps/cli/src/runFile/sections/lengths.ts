import type { ValueDistribution } from '@org/loadgen';
import type { Path } from '@org/terminal/userFile';
import { distribution, isNormal, readDistribution } from '../distribution.ts';
import { type Field, getField, isMapping, type RunFileReader } from '../field.ts';

/** Reads the lengths of prompts. */
export const INPUT: Field = distribution('synthetic-input-tokens-mean', 'synthetic-input-tokens-stddev');

/** Reads the lengths of responses. */
export const OUTPUT: Field = distribution('output-tokens-mean', 'output-tokens-stddev');

/** Lengths that belong together, with the values from the file. */
interface Pair {
  readonly values: readonly [input: unknown, output: unknown];
  readonly lengths: readonly [input: ValueDistribution, output: ValueDistribution];
  /** Relative weight. */
  readonly weight: number;
}

/** Reads `sequenceDistribution`: pairs of lengths with their shares. */
export const sequenceDistribution: Field = (value, path, reader) => {
  if (!Array.isArray(value)) return reader.report(path, 'has an unexpected type; expected a list of pairs');
  const pairs = value.flatMap((item, index) => readPair(item, [...path, index], reader) ?? []);
  if (pairs.length > 0) reader.set('seq-dist', [formatPairs(pairs)], path);
};

function readPair(item: unknown, path: Path, reader: RunFileReader): Pair | undefined {
  if (!isMapping(item)) {
    reader.report(path, 'has an unexpected type; expected isl, osl and probability');
    return undefined;
  }
  const [input, output, probability] = ['isl', 'osl', 'probability'].map(name => getField(item, name));
  if (!input || !output || !probability) {
    reader.report(path, 'is incomplete; expected isl, osl and probability');
    return undefined;
  }
  const values = [
    withStddev(item, input.value, 'islStddev'),
    withStddev(item, output.value, 'oslStddev'),
  ] as const;
  const inputLength = readDistribution(values[0], [...path, 'isl'], reader);
  const outputLength = readDistribution(values[1], [...path, 'osl'], reader);
  const weight = Number(probability.value);
  if (!Number.isFinite(weight)) reader.report([...path, probability.key], 'is not a number');
  return inputLength && outputLength && { values, lengths: [inputLength, outputLength], weight };
}

function withStddev(item: Readonly<Record<string, unknown>>, mean: unknown, name: string): unknown {
  const stddev = getField(item, name)?.value;
  return stddev === undefined || isMapping(mean) ? mean : { mean, stddev };
}

/** Formats pairs for --seq-dist, whose shares add up to 100. Lengths that are not normally distributed require JSON. */
function formatPairs(pairs: readonly Pair[]): string {
  const total = pairs.reduce((sum, { weight }) => sum + weight, 0);
  const shares = pairs
    .filter(({ weight }) => weight > 0)
    .map(pair => ({ ...pair, percent: Number(((100 * pair.weight) / total).toFixed(6)) }));
  if (shares.every(({ lengths }) => lengths.every(isNormal)))
    return shares
      .map(({ lengths, percent }) => `${lengths.map(formatLength).join(',')}:${percent}`)
      .join(';');
  return JSON.stringify({
    pairs: shares.map(({ values: [isl, osl], percent }) => ({ isl, osl, prob: percent })),
  });
}

function formatLength({ mean, stddev = 0 }: ValueDistribution): string {
  return stddev > 0 ? `${mean}|${stddev}` : String(mean);
}
