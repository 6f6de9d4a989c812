import type { RunInfo } from '@org/formats';
import type { GoodputRule } from '@org/loadgen';

/** What the journal of a profile run says of it, beside what the exports of the servers need. */
export interface ProfileHeader {
  /** When the run began, ns since 1970. */
  readonly startNs: bigint;
  /** As the export of the client has it. */
  readonly inputConfig: Readonly<Record<string, unknown>>;
  readonly runInfo: RunInfo;
  readonly streaming: boolean;
  readonly goodput?: readonly GoodputRule[];
  /** Who counts tokens: a tokenizer's name, or `server`. */
  readonly tokenizer: string;
  /** Threads of their own that send the requests; absent when the one thread of the client does. */
  readonly workers?: number;
  /** Whether servers are scraped. */
  readonly hasServers: boolean;
}
