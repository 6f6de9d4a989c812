import type { ServerMetricsDocument } from '@org/formats';
import type { MetricBlock } from '@org/loadgen';

/** The client's measurements in the profiling period. */
export interface ClientSide {
  readonly blocks: Readonly<Record<string, MetricBlock>>;
  readonly succeeded: number;
  readonly failed: number;
  readonly cancelled: number;
  /** Number of warm-up requests that were cut off. Servers may have continued to process them during profiling. */
  readonly warmupCutOff: number;
  /** Source of the token counts: the name of a tokenizer, or `server`. */
  readonly tokenizer: string;
}

/** The servers' metrics of the profiling period. */
export interface ServerSide {
  readonly document: ServerMetricsDocument;
  /** Number of running requests at the start of profiling, if a server reports it. */
  readonly runningAtStart?: number;
  readonly runningAtEnd?: number;
  /** URLs of endpoints that responded from several IP addresses. */
  readonly mixedEndpoints: readonly string[];
  /** Present if the run was killed. The client's side then consists of the requests that ended before the last scrape. */
  readonly killed?: {
    /** Number of requests that ended after the last scrape. */ readonly unscraped: number;
  };
}
