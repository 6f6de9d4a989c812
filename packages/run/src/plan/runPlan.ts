import type { PercentileMethod, Shard } from '@org/core';
import type { GpuTelemetryPlan } from '@org/gpu';
import {
  type Compatibility,
  DEFAULT_FORMATS,
  type ExportFormat,
  type JsonLayout,
  type StatisticsWindow,
} from '@org/record';
import type { Target, TargetSource } from '@org/scrape';
import type { DefinitionFile } from '@org/servers';

/** Scrape and export settings; the CLI reads them from the `AIPERF_SERVER_METRICS_*` environment variables. */
export interface RunSettings {
  /** Time between two scrapes of an endpoint, in milliseconds. */
  readonly intervalMs: number;
  /** Duration of scraping after the end of profiling, in milliseconds. */
  readonly flushMs: number;
  /** Default scrape timeout, in milliseconds. A target can override it. */
  readonly reachabilityMs: number;
  /** Maximum number of JSONL lines per write. */
  readonly batchSize: number;
  /** Maximum wait for in-flight scrapes at the end of the run, in milliseconds. */
  readonly shutdownMs: number;
}

/** The defaults of AIPerf. */
export const DEFAULT_SETTINGS: RunSettings = {
  intervalMs: 333,
  flushMs: 2000,
  reachabilityMs: 10_000,
  batchSize: 100,
  shutdownMs: 5000,
};

/** The server metrics exports of a run. */
export interface ExportPlan {
  readonly formats: readonly ExportFormat[];
  /** The program whose files the run writes. */
  readonly compatibility: Compatibility;
  /** Layout of the JSON export of server metrics; `1.0` by default. */
  readonly jsonLayout?: JsonLayout;
  /** True to also write the Parquet rows as a partitioned dataset. */
  readonly parquetPartition: boolean;
  readonly percentileMethod: PercentileMethod;
  /** Duration of a timeslice, in seconds. Without it, exports contain no timeslices. */
  readonly sliceSeconds?: number;
  /** The window that statistics cover; the profiling phase by default. */
  readonly window?: StatisticsWindow;
}

/** Memory and journal of a run. */
export interface StoragePlan {
  /** Maximum memory for scraped samples, in bytes. Further samples are kept in a file. */
  readonly memoryLimit: number;
  /** True to keep the journal after all exports are written. */
  readonly keepJournal: boolean;
}

/** The part of a plan that all runs have in common. */
export interface RunPlan {
  /** Artifact folder; it is created if it does not exist. */
  readonly folder: string;
  /** Prefix of the file names of all exports. */
  readonly prefix?: string;
  /**
   * The part of the run that this process executes, one of several processes. `targets` and `gpuTelemetry` contain only the
   * sources of this part. The load is divided when it is sent.
   */
  readonly shard?: Shard;
  /** Endpoints to scrape. */
  readonly targets: readonly Target[];
  /** Sources of further endpoints, which are added and removed during the run. */
  readonly sources?: readonly TargetSource[];
  /** The sources of GPU telemetry. Without it, none is collected. */
  readonly gpuTelemetry?: GpuTelemetryPlan;
  /** Definitions of servers in addition to the built-in ones. They are recorded in the exports. */
  readonly servers?: readonly DefinitionFile[];
  readonly settings?: Partial<RunSettings>;
  /**
   * Maximum time to wait at the start and the end of profiling until server counters stop changing, in
   * seconds. Without it, the run does not wait.
   */
  readonly settleSeconds?: number;
  readonly exports?: Partial<ExportPlan>;
  readonly storage?: Partial<StoragePlan>;
}

/** A plan with its defaults filled in. */
export type ResolvedPlan<Plan extends RunPlan = RunPlan> = Omit<Plan, 'settings' | 'exports' | 'storage'> & {
  readonly settings: RunSettings;
  readonly exports: ExportPlan;
  readonly storage: StoragePlan;
};

const DEFAULT_EXPORTS: ExportPlan = {
  formats: DEFAULT_FORMATS,
  compatibility: 'servelens',
  parquetPartition: false,
  percentileMethod: 'moments',
};

const DEFAULT_STORAGE: StoragePlan = { memoryLimit: 2 ** 30, keepJournal: false };

/** Reports whether a run scrapes endpoints, now or when a source lists them. */
export function hasServers({ targets, sources = [] }: Pick<RunPlan, 'targets' | 'sources'>): boolean {
  return targets.length > 0 || sources.length > 0;
}

/** Fills in the defaults of a plan. */
export function resolvePlan<Plan extends RunPlan>(plan: Plan): ResolvedPlan<Plan> {
  return {
    ...plan,
    settings: { ...DEFAULT_SETTINGS, ...plan.settings },
    exports: { ...DEFAULT_EXPORTS, ...plan.exports },
    storage: { ...DEFAULT_STORAGE, ...plan.storage },
  };
}
