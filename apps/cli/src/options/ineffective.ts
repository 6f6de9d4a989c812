import type { Target, TargetSource } from '@org/scrape';
import { UsageError } from '@org/terminal';
import type { RawOptions } from '@org/terminal/program';

/** Options that have no effect if a condition is met. */
export interface IneffectiveOptions {
  readonly options: readonly string[];
  readonly when: boolean;
  /** End of the message `--NAME has no effect REASON`. */
  readonly reason: string;
}

/** An option that is set, but has no effect. */
export interface IneffectiveOption {
  readonly option: string;
  /** Such as `--ca-file has no effect without an https URL`. */
  readonly message: string;
}

/** Finds the options that are set and have no effect in this combination, with the first reason for each. */
export function findIneffective(raw: RawOptions, rules: readonly IneffectiveOptions[]): IneffectiveOption[] {
  const found = new Map<string, string>();
  for (const { options, when, reason } of rules)
    for (const option of when ? options : [])
      if (isGiven(raw, option) && !found.has(option))
        found.set(option, `--${option} has no effect ${reason}`);
  return [...found].map(([option, message]) => ({ option, message }));
}

/** Throws `UsageError` if an option is set that has no effect in this combination. */
export function rejectIneffective(raw: RawOptions, rules: readonly IneffectiveOptions[]): void {
  const [first] = findIneffective(raw, rules);
  if (first !== undefined) throw new UsageError(first.message);
}

/** Reports whether an option is set. A flag that is set to false is treated as absent. */
export function isGiven(raw: RawOptions, name: string): boolean {
  return raw[name] !== undefined && raw[name] !== false;
}

/** Options for scrapes and their exports. */
const SCRAPE_OPTIONS = [
  ...['server-metrics-header', 'config', 'bearer-token-file', 'basic-auth-file'],
  ...['limit', 'compressed', 'settle', 'server-metrics-formats', 'percentile-method', 'json-layout'],
  ...['parquet-partition', 'memory-limit', 'window', 'servers'],
] as const;

/** Lists the options for server metrics that have no effect in a run with these endpoints and sources of endpoints. */
export function listIneffectiveScrapeOptions(
  raw: RawOptions,
  formats: readonly string[],
  targets: readonly Target[],
  sources: readonly TargetSource[] = [],
): IneffectiveOptions[] {
  return [
    {
      options: ['bearer-token-file', 'basic-auth-file'],
      when:
        sources.length === 0 &&
        targets.length > 0 &&
        targets.every(({ credentials }) => credentials !== undefined),
      reason: 'on endpoints whose URLs contain a user or password',
    },
    {
      options: SCRAPE_OPTIONS,
      when: raw['no-server-metrics'] === true,
      reason: 'with --no-server-metrics',
    },
    {
      options: ['parquet-partition'],
      when: !formats.includes('parquet'),
      reason: 'without the format parquet; add it to --server-metrics-formats',
    },
    {
      options: ['json-layout'],
      when: !formats.includes('json'),
      reason: 'without the format json; add it to --server-metrics-formats',
    },
    {
      options: ['percentile-method'],
      when: !formats.includes('json') && !formats.includes('csv'),
      reason: 'without the formats json and csv; add one of them to --server-metrics-formats',
    },
    {
      options: ['window'],
      when: formats.every(format => format === 'jsonl'),
      reason: 'on the format jsonl, which contains all scrapes; add another one to --server-metrics-formats',
    },
  ];
}

/** Lists the display options that have no effect. */
export function listIneffectiveDisplayOptions(raw: RawOptions): IneffectiveOptions[] {
  return [{ options: ['live', 'ui'], when: isGiven(raw, 'quiet'), reason: 'with --quiet' }];
}

/**
 * Lists the TLS options that have no effect. `urls` are the URLs of all servers and endpoints. With `sources`, further
 * endpoints may use TLS.
 */
export function listIneffectiveTlsOptions(
  raw: RawOptions,
  urls: readonly string[],
  sources: readonly TargetSource[] = [],
): IneffectiveOptions[] {
  return [
    {
      options: ['ca-file', 'cert-file', 'key-file', 'insecure'],
      when: sources.length === 0 && !urls.some(url => /^https:/i.test(url)),
      reason: 'without an https URL',
    },
    {
      options: ['ca-file'],
      when: raw.insecure === true,
      reason: 'with --insecure, which accepts every certificate',
    },
  ];
}
