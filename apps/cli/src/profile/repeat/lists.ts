import type { SweptParameter, Variation } from '@org/run';
import { UsageError } from '@org/terminal';
import { numberOf, type RawOptions, shownValue, singleValue } from '../../optionvalue.ts';

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

/** A variation with the options of its runs. */
export interface OptionVariation extends Variation {
  readonly raw: RawOptions;
}

/** The grid of a sweep. */
export interface OptionVariations {
  readonly parameters: readonly SweptOption[];
  readonly variations: readonly OptionVariation[];
}

interface SweptOption extends SweptParameter {
  readonly option: string;
}

/** Reads options that are lists, such as `--concurrency 1,2,4`. Throws `UsageError`. */
export function readVariations(raw: RawOptions): OptionVariations {
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

function sweptParameter(raw: RawOptions, { option, name, path }: Sweepable): SweptOption | undefined {
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
