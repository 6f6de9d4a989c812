import type { Run } from '../run/run.ts';

/** What an option determines. Differences are listed in this order. */
export type OptionTopic =
  | 'load'
  | 'duration'
  | 'number of requests'
  | 'warm-up'
  | 'model'
  | 'input'
  | 'endpoint'
  | 'token counts'
  | 'goodput limits'
  | 'command';

/** An option whose values differ between the base and the new runs. */
export interface OptionDifference {
  readonly topic: OptionTopic;
  /** The path of the option in `input_config`, such as `phases.profiling.rate`. */
  readonly option: string;
  readonly unit: string | null;
  /** The distinct values on each side, as text; empty if the option is not set. */
  readonly base: readonly string[];
  readonly new: readonly string[];
}

/** An option that affects the results. The first matching rule applies. */
interface OptionRule {
  readonly path: RegExp;
  readonly topic: OptionTopic;
  readonly unit?: string;
}

/**
 * The options of Servelens and AIPerf that affect the results. All other options are ignored, such as the formats of
 * exports and the URLs of servers.
 */
const OPTION_RULES: readonly OptionRule[] = [
  {
    path: /^phases\.warmup\.(?!name$|kind$|type$|exclude_from_results$)|^warmup_duration$/,
    topic: 'warm-up',
  },
  { path: /^phases\.profiling\.(?:duration|grace_period)$|^duration$/, topic: 'duration', unit: 's' },
  {
    path: /^phases\.profiling\.(?:request_count|session_count|sessions)$/,
    topic: 'number of requests',
  },
  { path: /^phases\.profiling\.rate$/, topic: 'load', unit: 'requests/s' },
  {
    path: /^phases\.profiling\.(?!name$|kind$|type$|exclude_from_results$)|^request_cancellation\./,
    topic: 'load',
  },
  { path: /^endpoint\.model$|^models\./, topic: 'model' },
  {
    path: /^endpoint\.(?:type|streaming|extra_inputs|custom_endpoint|connection_reuse_strategy)/,
    topic: 'endpoint',
  },
  { path: /^(?:tokenizer(?:\.name)?|token_count|token_source)$/, topic: 'token counts' },
  { path: /^(?:input|datasets)\.(?!.*(?:random_seed|\.name$))/, topic: 'input' },
  { path: /^(?:goodput|slos)\./, topic: 'goodput limits' },
  { path: /^command$/, topic: 'command' },
];

/** Lists the options that differ between the base and the new runs, ordered by topic. */
export function listOptionDifferences(base: readonly Run[], others: readonly Run[]): OptionDifference[] {
  const [from, to] = [base, others].map(runs => runs.map(readOptions));
  // The options of a run without `input_config`, such as a CSV export, are unknown.
  if ([...from!, ...to!].some(options => options.size === 0)) return [];
  // The load of a wrapped command is unknown.
  const isWrapped = [from!, to!].map(runs => runs.some(options => options.has('command')));
  const paths =
    isWrapped[0] === isWrapped[1]
      ? new Set([...from!, ...to!].flatMap(options => [...options.keys()]))
      : ['command'];
  const differences = [...paths].flatMap(path => {
    const rule = OPTION_RULES.find(candidate => candidate.path.test(path));
    if (!rule) return [];
    const sides = [from!, to!].map(runs => [...new Set(runs.flatMap(run => run.get(path) ?? []))].sort());
    if (JSON.stringify(sides[0]) === JSON.stringify(sides[1])) return [];
    return [{ topic: rule.topic, option: path, unit: rule.unit ?? null, base: sides[0]!, new: sides[1]! }];
  });
  const topics = [...new Set<OptionTopic>(['load', 'duration', ...OPTION_RULES.map(({ topic }) => topic)])];
  return differences.sort((a, b) => topics.indexOf(a.topic) - topics.indexOf(b.topic));
}

/** Reads the options of a run by their path. Includes the source of token counts that a run chose. */
function readOptions({ inputConfig, profile }: Run): Map<string, string> {
  const options = new Map<string, string>();
  addOptions(options, '', inputConfig);
  const source = profile?.load_generator?.token_source;
  if (options.size > 0 && source !== undefined) options.set('token_source', source);
  return options;
}

/** Adds the scalars of a value by their path. Lists of objects with names, such as phases, are read as objects. */
function addOptions(options: Map<string, string>, path: string, value: unknown): void {
  if (value === null || value === undefined) return;
  if (Array.isArray(value) && !value.some(item => typeof item === 'object')) {
    options.set(path, value.join(' '));
    return;
  }
  if (typeof value !== 'object') {
    options.set(renameOption(path), String(value));
    return;
  }
  const entries = Array.isArray(value)
    ? value.map((item, i) => [String((item as { name?: unknown }).name ?? i), item] as const)
    : Object.entries(value);
  for (const [name, item] of entries) addOptions(options, path === '' ? name : `${path}.${name}`, item);
}

/** Returns our name of an option that AIPerf calls differently. */
function renameOption(path: string): string {
  return path.replace(/^(phases\.\w+)\.requests$/, '$1.request_count').replace(/\.request_rate$/, '.rate');
}
