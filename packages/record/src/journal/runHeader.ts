import type { Shard } from '@org/core';
import type { RunInfo } from '@org/formats';
import type { GoodputRule, TokenSource } from '@org/loadgen';
import type { Compatibility, ExportFormat, JsonLayout, StatisticsWindow } from '../exportFormats.ts';

/** Identifies a process, also after its ID has been reused. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Name of the machine or container. Process IDs are unique only there. */
  readonly host: string;
  /**
   * Start time of the process as in /proc/PID/stat. Absent on systems other than Linux, on which reused
   * process IDs are not detected.
   */
  readonly born?: string;
}

/** The first record of a journal: the properties of the run that its exports need, known when the run starts. */
export interface RunHeader {
  readonly benchmarkId: string;
  readonly version: string;
  readonly startNs: bigint;
  /** The process of the run; absent in journals of earlier versions. */
  readonly owner?: ProcessIdentity;
  readonly inputConfig: Readonly<Record<string, unknown>>;
  /** Absent for collect runs, and in journals of earlier versions. */
  readonly servelensConfig?: Readonly<Record<string, unknown>>;
  /** The export options of the run. */
  readonly exports: {
    readonly formats: readonly ExportFormat[];
    /** Absent in journals of earlier versions. */
    readonly compatibility?: Compatibility;
    readonly jsonLayout?: JsonLayout;
    readonly prefix?: string;
    readonly sliceSeconds?: number;
    readonly window?: StatisticsWindow;
    readonly parquetPartition?: boolean;
    readonly percentileMethod: string;
  };
  /** Present only for profile runs, which generate the load themselves. */
  readonly profile?: ProfileHeader;
}

/** The part of the header that only profile runs have. */
export interface ProfileHeader {
  /** The start of the run, in Unix nanoseconds. */
  readonly startNs: bigint;
  /** The `input_config` of the client's export. */
  readonly inputConfig: Readonly<Record<string, unknown>>;
  /** Absent in journals of earlier versions. */
  readonly servelensConfig?: Readonly<Record<string, unknown>>;
  readonly runInfo: RunInfo;
  readonly streaming: boolean;
  readonly goodput?: readonly GoodputRule[];
  /** True if requests are sent at the timestamps of a trace. */
  readonly fixedSchedule?: boolean;
  /** The name of the tokenizer that counts tokens on the client, or `server` if there is none. */
  readonly tokenizer: string;
  /** The source of the token counts that metrics use; absent if the responses determine it. */
  readonly tokenSource?: TokenSource;
  /** The number of load threads; absent if the main thread sends the requests. */
  readonly workers?: number;
  /** True if the run has a warm-up. */
  readonly hasWarmup?: boolean;
  /** Present only if the run is one of several shards of a load. */
  readonly shard?: Shard;
  /** The planned start of profiling, in Unix nanoseconds; absent if it started when it was ready. */
  readonly startAtNs?: bigint;
  /** False if the run scrapes no servers. */
  readonly hasServers: boolean;
}
