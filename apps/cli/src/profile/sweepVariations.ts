import type { SweptParameter, Variation } from '@org/run';
import { UsageError } from '@org/terminal';
import { formatOptionValue, parseNumber, parseSeconds, type RawOptions } from '@org/terminal/program';
import { findEntriesOption } from './datasetEntries.ts';
import { isJson } from './distributions.ts';

/** An option that accepts a list of numbers, and the parameter that it sweeps. */
interface SweepableOption {
  /** Parses a value of the list; `parseNumber` by default. */
  readonly parse?: (value: unknown) => number;
  /** Name of the option, without dashes. */
  readonly option: string;
  /** Name of the parameter in labels of variations. */
  readonly label: string;
  /** Path of the parameter in `input_config` of exports. */
  readonly path: string;
  readonly isInteger: boolean;
}

/** The options that accept a list of numbers to sweep, ordered by path as in AIPerf. */
const SWEEPABLE_OPTIONS: readonly SweepableOption[] = [
  {
    option: 'synthetic-input-tokens-mean',
    isInteger: true,
    label: 'isl',
    path: 'datasets.main.prompts.isl.mean',
  },
  {
    option: 'synthetic-input-tokens-stddev',
    isInteger: false,
    label: 'isl_stddev',
    path: 'datasets.main.prompts.isl.stddev',
  },
  { option: 'output-tokens-mean', isInteger: true, label: 'osl', path: 'datasets.main.prompts.osl.mean' },
  {
    option: 'output-tokens-stddev',
    isInteger: false,
    label: 'osl_stddev',
    path: 'datasets.main.prompts.osl.stddev',
  },
  { option: 'conversation-turn-mean', isInteger: false, label: 'turns', path: 'datasets.main.turns.mean' },
  { option: 'concurrency', isInteger: true, label: 'concurrency', path: 'phases.profiling.concurrency' },
  {
    option: 'benchmark-duration',
    isInteger: false,
    label: 'duration',
    path: 'phases.profiling.duration',
    parse: value => parseNumber(parseSeconds(value)),
  },
  {
    option: 'prefill-concurrency',
    isInteger: true,
    label: 'prefill_concurrency',
    path: 'phases.profiling.prefill_concurrency',
  },
  { option: 'request-rate', isInteger: false, label: 'request_rate', path: 'phases.profiling.rate' },
  { option: 'request-count', isInteger: true, label: 'request_count', path: 'phases.profiling.requests' },
  { option: 'num-sessions', isInteger: true, label: 'sessions', path: 'phases.profiling.sessions' },
  {
    option: 'arrival-smoothness',
    isInteger: false,
    label: 'arrival_smoothness',
    path: 'phases.profiling.smoothness',
  },
  { option: 'num-users', isInteger: true, label: 'users', path: 'phases.profiling.users' },
];

/** Finds the option of a parameter: by path with or without its end `.mean`, by option, or by label. */
export function findSweepableOption(name: string): SweepableOption | undefined {
  return SWEEPABLE_OPTIONS.find(
    ({ option, label, path }) => [option, label, path].includes(name) || path === `${name}.mean`,
  );
}

/** Lists the parameters that can be swept or searched. */
export function formatParameterNames(): string {
  return SWEEPABLE_OPTIONS.map(({ path }) => path).join(', ');
}

/** A variation with the command-line options of its runs. */
export interface OptionVariation extends Variation {
  readonly raw: RawOptions;
}

/** The swept parameters, and a variation for each combination of their values. */
export interface OptionVariations {
  readonly parameters: readonly OptionParameter[];
  readonly variations: readonly OptionVariation[];
}

/** A swept parameter and its option. */
interface OptionParameter extends SweptParameter {
  readonly option: string;
  readonly label: string;
}

/** An option with a list of numbers. */
interface SweptOption extends OptionParameter {
  readonly values: readonly number[];
}

/**
 * Reads the variations of a sweep from options with lists, such as `--concurrency 1,2,4`. Throws `UsageError` if an
 * option is invalid.
 */
export function readVariations(raw: RawOptions): OptionVariations {
  const parameters = nameParameters(SWEEPABLE_OPTIONS.flatMap(option => readSweptOption(raw, option) ?? []));
  const combinations = raw['sweep-type'] === 'zip' ? zipValues(parameters) : combineValues(parameters);
  return createVariations(raw, parameters, combinations);
}

/** Reads the variations of given combinations of values, one value per option. */
export function combineOptions(
  raw: RawOptions,
  options: readonly string[],
  combinations: readonly (readonly number[])[],
): OptionVariations {
  const parameters = nameParameters(
    options.map((name, index) => {
      const values = [...new Set(combinations.map(combination => combination[index]!))];
      return { ...findSweepableOption(name)!, values };
    }),
  );
  return createVariations(raw, parameters, combinations);
}

function createVariations(
  raw: RawOptions,
  parameters: readonly SweptOption[],
  combinations: readonly (readonly number[])[],
): OptionVariations {
  const shared = shareEntries(raw, parameters);
  return {
    parameters,
    variations: combinations.map((values, index) => {
      const entries = parameters.map((parameter, i) => [parameter, values[i]!] as const);
      return {
        index,
        label: entries.map(([{ label }, value]) => `${label}_${value}`).join('__') || 'base',
        parameters: Object.fromEntries(entries.map(([{ name }, value]) => [name, value])),
        values: Object.fromEntries(entries.map(([{ path }, value]) => [path, value])),
        raw: { ...shared, ...Object.fromEntries(entries.map(([{ option }, value]) => [option, value])) },
      };
    }),
  };
}

/**
 * Gives all variations the same number of prompts if their number of requests or conversations is swept. As in AIPerf, it
 * is the largest value of the list.
 */
function shareEntries(raw: RawOptions, parameters: readonly SweptOption[]): RawOptions {
  const source = findEntriesOption(raw);
  const values = parameters.find(({ option }) => option === source)?.values;
  return values === undefined ? raw : { ...raw, 'num-dataset-entries': Math.max(...values) };
}

/** Names parameters as AIPerf does: by the last part of the path, or by the path if several have the same last part. */
export function nameParameters<T extends { readonly path: string }>(
  options: readonly T[],
): (T & { readonly name: string })[] {
  const lastParts = options.map(({ path }) => path.slice(path.lastIndexOf('.') + 1));
  return options.map((option, index) => {
    const name = lastParts[index]!;
    const isUnique = lastParts.filter(part => part === name).length === 1;
    return { ...option, name: isUnique ? name : option.path };
  });
}

function readSweptOption(
  raw: RawOptions,
  { option, label, path, parse = parseNumber }: SweepableOption,
): Omit<SweptOption, 'name'> | undefined {
  const value = raw[option];
  if (typeof value !== 'string' || !value.includes(',') || isJson(value)) return undefined;
  const words = value
    .replace(/,\s*$/, '')
    .split(',')
    .map(word => word.trim());
  const values = words.map(parse);
  const invalid = values.findIndex(number => !Number.isFinite(number));
  if (invalid !== -1)
    throw new UsageError(
      `invalid --${option} ${formatOptionValue(value)}: ${JSON.stringify(words[invalid])} is not a number; expected a comma-separated list such as 1,2,4`,
    );
  const duplicate =
    raw['sweep-type'] === 'zip' ? undefined : values.find((number, index) => values.indexOf(number) < index);
  if (duplicate !== undefined)
    throw new UsageError(`invalid --${option} ${formatOptionValue(value)}: duplicate value ${duplicate}`);
  return { label, path, option, values };
}

/** Returns the first values of all parameters, then the second ones, and so on. Throws `UsageError` for invalid lists. */
function zipValues(parameters: readonly SweptOption[]): number[][] {
  const [first] = parameters;
  if (!first) return [[]];
  const other = parameters.find(({ values }) => values.length !== first.values.length);
  if (other)
    throw new UsageError(
      `--sweep-type zip requires lists of the same length: --${first.option} has ${first.values.length} values, --${other.option} ${other.values.length}`,
    );
  const rows = first.values.map((_, index) => parameters.map(({ values }) => values[index]!));
  const texts = rows.map(row => row.join(', '));
  const duplicate = texts.find((text, index) => texts.indexOf(text) < index);
  if (duplicate !== undefined) throw new UsageError(`--sweep-type zip: duplicate values ${duplicate}`);
  return rows;
}

/** Returns all combinations of values. The value of the last parameter changes fastest. */
function combineValues(parameters: readonly SweptOption[]): number[][] {
  return parameters.reduce<number[][]>(
    (rows, { values }) => rows.flatMap(row => values.map(value => [...row, value])),
    [[]],
  );
}
