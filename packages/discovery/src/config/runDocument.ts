import type { YamlFile } from '@org/terminal/userFile';

/** The part of a configuration file that describes a run in the schema of AIPerf. */
export interface RunDocument {
  /** The path of the file as the user typed it, which messages contain. */
  readonly path: string;
  /** The positions of values. */
  readonly file: YamlFile;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Top-level keys of endpoint files. */
const ENDPOINT_KEYS: ReadonlySet<string> = new Set([
  'defaults',
  'targets',
  'sources',
  'discovery',
  'servers',
]);

/** Top-level keys of files that describe a run, without underscores and in lower case. Others are listed by AIPerf as older names. */
const RUN_KEYS: ReadonlySet<string> = new Set([
  ...['schemaversion', 'benchmark', 'sweep', 'multirun', 'plot', 'variables', 'randomseed', 'nosweeptable'],
  ...['model', 'models', 'endpoint', 'dataset', 'datasets', 'phases', 'warmup', 'profiling', 'artifacts'],
  ...['slos', 'tokenizer', 'gputelemetry', 'servermetrics', 'runtime', 'logging', 'metrics', 'accuracy'],
]);

/** Reports whether a top-level key belongs to the description of a run. */
export function isRunKey(key: string): boolean {
  return RUN_KEYS.has(key.replaceAll('_', '').toLowerCase());
}

/**
 * Splits the contents of a file into the description of a run and the endpoints. Without a key of a run, all keys
 * belong to the endpoints.
 */
export function splitDocument(value: unknown): {
  readonly run?: Readonly<Record<string, unknown>>;
  readonly endpoints: unknown;
} {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { endpoints: value };
  const entries = Object.entries(value);
  if (!entries.some(([key]) => isRunKey(key))) return { endpoints: value };
  const pick = (isEndpoint: boolean): Record<string, unknown> =>
    Object.fromEntries(entries.filter(([key]) => ENDPOINT_KEYS.has(key) === isEndpoint));
  return { run: pick(false), endpoints: pick(true) };
}
