import { numberOf, type RawOptions, shownValue, singleValue } from '../../optionvalue.ts';
import { UsageError } from '../../usage.ts';

/** A number that may be a list: then each of its values is a run of its own. */
interface Sweepable {
  /** Names that yargs gives it. */
  readonly option: string;
  readonly aliases?: readonly string[];
  /** What it is called in labels and tables. */
  readonly name: string;
  /** Where it stands in `input_config`. */
  readonly path: string;
}

export const SWEEPABLE: readonly Sweepable[] = [
  { option: 'concurrency', name: 'concurrency', path: 'phases.profiling.concurrency' },
  { option: 'request-rate', name: 'request_rate', path: 'phases.profiling.rate' },
  { option: 'arrival-smoothness', name: 'arrival_smoothness', path: 'phases.profiling.smoothness' },
  {
    option: 'request-count',
    aliases: ['num-requests'],
    name: 'request_count',
    path: 'phases.profiling.request_count',
  },
  {
    option: 'synthetic-input-tokens-mean',
    aliases: ['isl', 'prompt-input-tokens-mean'],
    name: 'isl',
    path: 'input.input_tokens.mean',
  },
  {
    option: 'output-tokens-mean',
    aliases: ['osl', 'prompt-output-tokens-mean'],
    name: 'osl',
    path: 'input.output_tokens.mean',
  },
];

/** One parameter and its values. */
export interface SweptParameter {
  readonly name: string;
  readonly path: string;
  readonly option: string;
  readonly values: readonly number[];
}

/** One combination of parameters. */
export interface Variation {
  readonly index: number;
  /** `concurrency_4`, or `concurrency_4__request_rate_2`; `base` outside of sweeps (seed 004). */
  readonly label: string;
  /** By name. */
  readonly parameters: Readonly<Record<string, number>>;
  /** By path in `input_config`. */
  readonly values: Readonly<Record<string, number>>;
  /** The options of one run. */
  readonly raw: RawOptions;
}

/** A sweep: every combination of the lists (grid), the last list changing first. Without lists it is `base` alone. */
export interface Variations {
  readonly parameters: readonly SweptParameter[];
  readonly variations: readonly Variation[];
}

/** Reads options that are lists, such as `--concurrency 1,2,4`. Throws `UsageError`. */
export function readVariations(raw: RawOptions): Variations {
  const parameters = SWEEPABLE.flatMap(one => sweptParameter(raw, one) ?? []);
  const combinations = grid(parameters);
  const options = new Map(SWEEPABLE.map(one => [one.option, one]));
  return {
    parameters,
    variations: combinations.map((values, index) => {
      const entries = parameters.map((parameter, at) => [parameter, values[at]!] as const);
      return {
        index,
        label: entries.map(([{ name }, value]) => `${name}_${value}`).join('__') || 'base',
        parameters: Object.fromEntries(entries.map(([{ name }, value]) => [name, value])),
        values: Object.fromEntries(entries.map(([{ path }, value]) => [path, value])),
        raw: withValues(
          raw,
          entries.map(([{ option }, value]) => [options.get(option)!, value]),
        ),
      };
    }),
  };
}

function sweptParameter(raw: RawOptions, { option, name, path }: Sweepable): SweptParameter | undefined {
  const value = singleValue(raw, option);
  if (typeof value !== 'string' || !value.includes(',')) return undefined;
  const words = value.split(',').map(word => word.trim());
  const values = words.map(numberOf);
  const wrong = values.findIndex(number => !Number.isFinite(number));
  if (wrong !== -1)
    throw new UsageError(
      `--${option} is ${shownValue(value)}, in which ${JSON.stringify(words[wrong])} is no number; expected numbers with commas between them, such as 1,2,4`,
    );
  const again = values.find((number, at) => values.indexOf(number) < at);
  if (again !== undefined)
    throw new UsageError(
      `--${option} is ${shownValue(value)}, which has ${again} twice; expected each value once`,
    );
  return { name, path, option, values };
}

function grid(parameters: readonly SweptParameter[]): number[][] {
  return parameters.reduce<number[][]>(
    (rows, { values }) => rows.flatMap(row => values.map(value => [...row, value])),
    [[]],
  );
}

/** Aliases have the value, too. */
function withValues(raw: RawOptions, values: readonly (readonly [Sweepable, number])[]): RawOptions {
  const names = values.flatMap(([{ option, aliases = [] }, value]) =>
    [option, ...aliases].filter(name => name === option || name in raw).map(name => [name, value] as const),
  );
  return { ...raw, ...Object.fromEntries(names) };
}
