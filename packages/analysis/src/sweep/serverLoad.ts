import type { SweepVariation } from '@org/formats';
import type { ServerMetricsView } from '@org/formats/read';
import { builtInServers, type MetricRole, type ServerCatalog } from '@org/servers';
import { createRunFromView, type Run } from '../run/run.ts';
import { readStat } from '../run/series.ts';
import { type RoleSeries, selectRoleSeries } from '../servers/roleSeries.ts';

/** The activity of the servers of a variation, as means over its runs. A field is absent if no server reports it. */
export interface ServerLoad {
  /** Mean number of requests that are computed, and that wait. */
  readonly running?: number;
  readonly waiting?: number;
  /** The highest usage of the KV cache, in percent. */
  readonly kvCachePercent?: number;
  /** Preemptions per second. */
  readonly preemptions?: number;
  /** The share of prompts that was found in the prefix cache, in percent. */
  readonly prefixHitPercent?: number;
  /** The mean time in the queue as a share of the mean time to first token, in percent. */
  readonly queuePercent?: number;
}

type ServerMetrics = NonNullable<SweepVariation['server_metrics']>;

/** Reads what the servers did from the aggregated statistics of a variation or of repeated runs. */
export function readServerLoad(metrics: ServerMetrics, servers: ServerCatalog = builtInServers): ServerLoad {
  const roles = new Roles(createRunFromView(toView(metrics), '', servers));
  const values = {
    running: roles.readSum('running', 'avg'),
    waiting: roles.readSum('waiting', 'avg'),
    kvCachePercent: readKvCache(roles),
    preemptions: roles.readSum('preemptions', 'rate'),
    prefixHitPercent: readPrefixHits(roles),
    queuePercent: readQueueShare(roles),
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

/** The series of a run by role. Each role is selected once. */
class Roles {
  readonly #run: Run;
  readonly #series = new Map<MetricRole, readonly RoleSeries[]>();

  constructor(run: Run) {
    this.#run = run;
  }

  readValues(role: MetricRole, stat: string): number[] {
    return this.#select(role).flatMap(({ series }) => readStat(series, stat) ?? []);
  }

  readSum(role: MetricRole, stat: string): number | undefined {
    const values = this.readValues(role, stat);
    return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
  }

  /** Reads the mean of a histogram over all observations of all series. */
  readMean(role: MetricRole): number | undefined {
    const [sum, count] = [this.readSum(role, 'sum'), this.readSum(role, 'count')];
    return sum !== undefined && count ? sum / count : undefined;
  }

  listUnits(role: MetricRole): (string | null)[] {
    return this.#select(role).map(({ series }) => series.unit);
  }

  #select(role: MetricRole): readonly RoleSeries[] {
    const known = this.#series.get(role);
    if (known) return known;
    const series = selectRoleSeries(this.#run, role);
    this.#series.set(role, series);
    return series;
  }
}

/** Returns the means of aggregated statistics as the statistics of one run. */
function toView(metrics: ServerMetrics): ServerMetricsView {
  const entries = Object.entries(metrics).map(([name, { series, ...metric }]) => [
    name,
    {
      description: '',
      ...metric,
      series: series.map(({ stats, ...each }) => ({
        ...each,
        stats: Object.fromEntries(Object.entries(stats).map(([stat, { mean }]) => [stat, mean])),
      })),
    },
  ]);
  return { schema_version: '1.0', metrics: Object.fromEntries(entries) as ServerMetricsView['metrics'] };
}

/** Reads the usage of the fullest cache. Servers report it as a fraction or in percent. */
function readKvCache(roles: Roles): number | undefined {
  const values = roles.readValues('kvCacheUsage', 'max');
  if (values.length === 0) return undefined;
  const highest = values.reduce((a, b) => Math.max(a, b));
  return highest <= 1.5 ? 100 * highest : highest;
}

function readPrefixHits(roles: Roles): number | undefined {
  const hits = roles.readSum('cacheHits', 'total');
  const misses = roles.readSum('cacheMisses', 'total');
  const all =
    roles.readSum('cacheQueries', 'total') ??
    (hits !== undefined && misses !== undefined ? hits + misses : undefined);
  const rates = roles.readValues('cacheHitRate', 'avg');
  return (
    toPercent(hits, all) ??
    toPercent(
      rates.reduce((sum, rate) => sum + rate, 0),
      rates.length,
    )
  );
}

/** Reads the share of the queue in the time to first token. Undefined if the units of both differ. */
function readQueueShare(roles: Roles): number | undefined {
  const units = new Set([...roles.listUnits('queueTime'), ...roles.listUnits('timeToFirstToken')]);
  return units.size === 1
    ? toPercent(roles.readMean('queueTime'), roles.readMean('timeToFirstToken'))
    : undefined;
}

function toPercent(part: number | undefined, whole: number | undefined): number | undefined {
  return part === undefined || !whole ? undefined : (100 * part) / whole;
}
