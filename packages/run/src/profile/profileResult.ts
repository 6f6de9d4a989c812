import type { RunInfo } from '@org/formats';
import type { LoadSummary, ProfileMetrics, RequestMetrics, TokenSource } from '@org/loadgen';
import type { Endpoint } from '@org/scrape';
import type { ServerMetrics } from '../lifecycle/runStorage.ts';
import type { RunOptions } from '../runContext.ts';
import type { ProfileExports } from './profileExports.ts';

/** Options of `profile`. */
export interface ProfileOptions extends RunOptions {
  /** Formats the result as on a terminal without colors, for a file. Without it, that file is not written. */
  readonly formatConsole?: FormatConsole;
  /** Ends the run early, based on its requests and servers. */
  readonly endEarly?: EarlyEnd;
  /** Position of the run in a repeated benchmark or sweep, recorded in the exports. */
  readonly runInfo?: Partial<Omit<RunInfo, 'benchmark_id' | 'random_seed' | 'cli_command'>>;
}

/** Observes the requests and the servers of a run, and decides when to end it early. */
export interface EarlyEnd {
  /** Adds a request of the profiling phase. Returns true to end the run. */
  add(metrics: RequestMetrics): boolean;
  /**
   * Checks the last scrape of each endpoint, every second during profiling. Returns true to end the run. `startNs` is a time
   * after the start of profiling, in nanoseconds since 1970.
   */
  checkServers(endpoints: readonly SampledEndpoint[], startNs: bigint): boolean;
}

/** The last scrape of an endpoint. */
export type SampledEndpoint = Pick<Endpoint, 'url' | 'layout' | 'latest' | 'stalledMs'> & {
  readonly health: Pick<Endpoint['health'], 'status' | 'lastSuccessNs'>;
};

/** Formats the result of a run as text. */
export type FormatConsole = (result: ProfileExports & { readonly server?: ServerMetrics }) => string;

/** The result of a profile run. Its `files` include the requests file. */
export interface ProfileResult extends ProfileExports {
  readonly benchmarkId: string;
  readonly metrics: ProfileMetrics;
  /** Source of the token counts that the metrics use. */
  readonly tokenSource: TokenSource;
  readonly load: LoadSummary;
  /** Absent if the plan has no targets. */
  readonly server?: ServerMetrics;
  /** True if all exports were written. */
  readonly isWritten: boolean;
  readonly wasCancelled: boolean;
}
