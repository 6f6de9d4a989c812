import type { ServerMetricsDocument } from '@org/formats';
import type { MetricBlock } from '@org/loadgen';

/** What the client knows of the profiling period. */
export interface ClientSide {
  readonly blocks: Readonly<Record<string, MetricBlock>>;
  readonly succeeded: number;
  readonly failed: number;
  readonly cancelled: number;
  /** Warm-up requests that were cut off, so that the servers may have gone on with them. */
  readonly warmupCutOff: number;
  /** Who counted tokens: a tokenizer's name, or `server`. */
  readonly tokenizer: string;
}

/** What is known of the servers beside their document. */
export interface ServerContext {
  readonly document: ServerMetricsDocument;
  readonly runningAtStart?: number;
  readonly runningAtEnd?: number;
  /** Endpoints that answered from several addresses. */
  readonly mixedEndpoints: readonly string[];
  /** Of a run that was killed: the client's side are the requests that had ended by the last scrape. */
  readonly cut?: { /** Requests that ended behind it. */ readonly later: number };
}
