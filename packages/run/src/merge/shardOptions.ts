import type { ShardRun } from './shardRun.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Options that differ between the shards of a run: their places, and the endpoints that each of them scrapes. */
const OWN_OPTIONS: ReadonlySet<string> = new Set([
  ...['shard', 'benchmark_id', 'cli_command', 'server_metrics', 'server_metrics_derived', 'gpu_telemetry'],
  ...['percentile_method', 'collection_interval', 'gpus', 'gpu_map'],
]);

/** Options that shards have only if they scrape an endpoint. They are compared if both shards have them. */
const SCRAPE_OPTIONS: ReadonlySet<string> = new Set(['percentile_method', 'collection_interval']);

/** Returns the first option that differs between two shards, with both values; undefined if all options are equal. */
export function findDifference(first: ShardRun, other: ShardRun): string | undefined {
  return (
    compare(selectOptions(first.inputConfig), selectOptions(other.inputConfig), []) ??
    compare(selectOptions(first.servelensConfig), selectOptions(other.servelensConfig), []) ??
    compareScraping(first, other)
  );
}

function compareScraping(first: ShardRun, other: ShardRun): string | undefined {
  const [a, b] = [first, other].map(
    ({ inputConfig, servelensConfig }): Fields => ({
      ...inputConfig,
      ...servelensConfig,
    }),
  );
  const common = [...SCRAPE_OPTIONS].filter(name => a![name] !== undefined && b![name] !== undefined);
  const select = (fields: Fields): Fields => Object.fromEntries(common.map(name => [name, fields[name]]));
  return compare(select(a!), select(b!), []);
}

function selectOptions(config: Fields): Fields {
  const { artifacts, ...others } = config as { readonly artifacts?: Fields };
  const { dir: _, ...shared } = artifacts ?? {};
  const options = Object.entries(others).filter(([name]) => !OWN_OPTIONS.has(name));
  return { ...Object.fromEntries(options), artifacts: shared };
}

function compare(a: unknown, b: unknown, path: readonly (string | number)[]): string | undefined {
  if (isObject(a) && isObject(b)) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      const difference = compare(a[key], b[key], [...path, key]);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  if (format(a) === format(b)) return undefined;
  return `${path.join('.')} is ${format(b)} and ${format(a)}`;
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

function format(value: unknown): string {
  return value === undefined ? 'not set' : typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}

/**
 * Unites the configurations of the shards of a run: their common options, and the endpoints of all of them.
 *
 * @param field reads the configuration of a shard
 */
export function uniteConfigs(shards: readonly ShardRun[], field: (shard: ShardRun) => Fields): Fields {
  const configs = shards.map(field);
  const { shard: _, ...common } = Object.assign({}, ...configs) as Fields;
  const metrics = configs.map(config => config.server_metrics);
  return {
    ...common,
    ...(metrics.some(Boolean) ? { server_metrics: uniteEndpoints(metrics) } : {}),
    ...uniteLists('server_metrics_derived', configs),
  };
}

/** Unites the endpoints of shards: a list for collect runs, a field of an object for profile runs. */
function uniteEndpoints(metrics: readonly unknown[]): unknown {
  if (metrics.some(Array.isArray)) return metrics.flat();
  const enabled = metrics.filter(value => isObject(value) && value.enabled !== false) as Fields[];
  const [first] = enabled;
  return first ? { ...first, ...uniteLists('urls', enabled) } : metrics[0];
}

function uniteLists(name: string, configs: readonly Fields[]): Fields {
  const lists = configs.flatMap(config => (Array.isArray(config[name]) ? config[name] : []));
  return lists.length > 0 ? { [name]: lists } : {};
}
