import type { Run } from '../../run/run.ts';

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
  | 'command'
  | 'servers'
  | 'hardware'
  | 'versions'
  | 'server settings';

/** An option, or a property of the servers, whose values differ between the base and the new runs. */
export interface OptionDifference {
  readonly topic: OptionTopic;
  /** The path of the option in `input_config`, such as `phases.profiling.rate`, or the name of the property. */
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
    path: /^phases\.warmup\.(?!name$|kind$|exclude_from_results$)|^warmup_duration$/,
    topic: 'warm-up',
  },
  { path: /^phases\.profiling\.(?:duration|grace_period)$|^duration$/, topic: 'duration', unit: 's' },
  {
    path: /^phases\.profiling\.(?:requests|sessions)$/,
    topic: 'number of requests',
  },
  { path: /^phases\.profiling\.rate$/, topic: 'load', unit: 'requests/s' },
  {
    path: /^phases\.profiling\.(?!name$|kind$|exclude_from_results$)/,
    topic: 'load',
  },
  { path: /^models(?:\.|$)/, topic: 'model' },
  {
    path: /^endpoint\.(?:type|streaming|extra|path|connection_reuse|use_legacy_max_tokens)/,
    topic: 'endpoint',
  },
  { path: /^(?:tokenizer\.name|token_count|token_source)$/, topic: 'token counts' },
  { path: /^datasets\.(?!.*(?:random_seed|\.name$))/, topic: 'input' },
  { path: /^slos\./, topic: 'goodput limits' },
  { path: /^command$/, topic: 'command' },
];

/** Lists the options that differ between the base and the new runs, ordered by topic. */
export function listOptionDifferences(base: readonly Run[], others: readonly Run[]): OptionDifference[] {
  const [from, to] = [base, others].map(runs => runs.map(readOptions));
  // The options of a run without `input_config`, such as a CSV export, are unknown.
  if ([...from!, ...to!].some(options => options.size === 0)) return [];
  const paths = selectPaths(base, others, from!, to!);
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

/** An option of a run that affects its results. */
export interface ComparedOption extends Pick<OptionDifference, 'topic' | 'option' | 'unit'> {
  readonly value: string;
}

/** Lists the options of a run that affect its results, ordered by path. Empty if the files do not contain them. */
export function listComparedOptions(run: Run): ComparedOption[] {
  return [...readOptions(run)]
    .flatMap(([option, value]) => {
      const rule = OPTION_RULES.find(({ path }) => path.test(option));
      return rule ? [{ topic: rule.topic, option, unit: rule.unit ?? null, value }] : [];
    })
    .sort((a, b) => (a.option < b.option ? -1 : 1));
}

type Options = ReadonlyMap<string, string>;

/**
 * Selects the options to compare. The load of a wrapped command is unknown. Earlier versions recorded fewer options, so
 * only the options that both sides recorded are compared with their runs.
 */
function selectPaths(
  base: readonly Run[],
  others: readonly Run[],
  from: readonly Options[],
  to: readonly Options[],
): Iterable<string> {
  const isWrapped = [from, to].map(runs => runs.some(options => options.has('command')));
  if (isWrapped[0] !== isWrapped[1]) return ['command'];
  const [paths, otherPaths] = [from, to].map(runs => new Set(runs.flatMap(options => [...options.keys()])));
  const hasEarlier = [base, others].map(runs => runs.some(isEarlierConfig));
  return hasEarlier[0] === hasEarlier[1]
    ? new Set([...paths!, ...otherPaths!])
    : [...paths!].filter(path => otherPaths!.has(path));
}

/** Reports whether an earlier version of Servelens recorded the options of a run, by other names than AIPerf. */
function isEarlierConfig({ inputConfig: { endpoint, phases } }: Run): boolean {
  return (endpoint as { model?: unknown } | undefined)?.model !== undefined || isRecord(phases);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads the options of a run by their path. Includes the source of token counts that a run chose. */
function readOptions({ inputConfig, profile }: Run): Map<string, string> {
  const options = new Map<string, string>();
  const { models, ...config } = inputConfig;
  addOptions(options, '', config);
  addModels(options, models);
  const source = profile?.load_generator?.token_source;
  if (options.size > 0 && source !== undefined) options.set('token_source', source);
  return options;
}

function addModels(options: Map<string, string>, models: unknown): void {
  const { items, strategy } = (models ?? {}) as { readonly items?: unknown; readonly strategy?: unknown };
  if (Array.isArray(items)) options.set('models', items.map(item => String(item.name)).join());
  if (strategy !== undefined) options.set('models.strategy', String(strategy));
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

/** The paths of options in earlier versions, and AIPerf's. */
const EARLIER_PATHS: readonly (readonly [earlier: RegExp, path: string])[] = [
  [/^(phases\.\w+)\.request_count$/, '$1.requests'],
  [/^(phases\.\w+)\.session_count$/, '$1.sessions'],
  [/^(phases\.\w+)\.pattern$/, '$1.type'],
  [/^(phases\.\w+)\.request_rate$/, '$1.rate'],
  [/^request_cancellation\./, 'phases.profiling.cancellation.'],
  [/^endpoint\.model$/, 'models'],
  [/^endpoint\.models$/, 'models'],
  [/^endpoint\.model_selection_strategy$/, 'models.strategy'],
  [/^endpoint\.extra_inputs\./, 'endpoint.extra.'],
  [/^endpoint\.custom_endpoint$/, 'endpoint.path'],
  [/^endpoint\.connection_reuse_strategy$/, 'endpoint.connection_reuse'],
  [/^input\.input_tokens\./, 'datasets.main.prompts.isl.'],
  [/^input\.output_tokens\./, 'datasets.main.prompts.osl.'],
  [/^input\.turns\./, 'datasets.main.turns.'],
  [/^input\.turn_delay_ms\./, 'datasets.main.turn_delay.'],
  [/^input\.shared_system_tokens$/, 'datasets.main.prefix_prompts.shared_system_length'],
  [/^input\.file$/, 'datasets.main.path'],
  [/^input\.dataset_type$/, 'datasets.main.format'],
  [/^input\./, 'datasets.main.'],
  [/^goodput\./, 'slos.'],
  [/^tokenizer$/, 'tokenizer.name'],
];

/** Returns AIPerf's path of an option that earlier versions recorded at another path. */
function renameOption(path: string): string {
  const renamed = EARLIER_PATHS.find(([earlier]) => earlier.test(path));
  return renamed ? path.replace(...renamed) : path;
}
