import type { EndpointName } from '../endpoint/endpoint.ts';
import type { InputsDescription } from '../input/inputsDescription.ts';
import type { PhaseName, RequestRecord } from '../requestRecord.ts';
import type { LoadOptions, PhaseEvent } from '../run/loadOptions.ts';
import type { LoadSummary } from '../run/loadSummary.ts';
import type { ClockOrigin } from './clockOrigin.ts';

/** Callbacks of a load that is sent by worker threads, and the signals that end it. */
export type LoadListener = Pick<
  LoadOptions,
  'signal' | 'overSaturated' | 'onRecord' | 'onPhase' | 'beforePhase'
>;

/** A load as plain data: {@link LoadOptions} without functions, and descriptions of inputs and tokenizer. */
export type LoadDescription = Omit<
  LoadOptions,
  keyof LoadListener | 'clock' | 'inputs' | 'counter' | 'workerId' | 'endpoint'
> & {
  /** The API to send requests to; `chat` by default. */
  readonly endpoint?: EndpointName;
  readonly inputs: InputsDescription;
  /**
   * Name or path of a tokenizer, as for `openTokenizer`, that determines the length of prompts and counts
   * tokens. Without it, each word of a prompt counts as one token.
   */
  readonly tokenizer?: string;
  /** Count the tokens of requests and responses; true by default. */
  readonly countsTokens?: boolean;
};

/** The `workerData` of a worker thread. */
export interface ThreadTask {
  readonly load: LoadDescription;
  /** Number of the thread, from 0. */
  readonly worker: number;
  readonly workers: number;
  readonly origin: ClockOrigin;
  /** Memory of the ledger. */
  readonly memory: SharedArrayBuffer;
  /** Name of the broadcast channel that wakes other threads. */
  readonly channel: string;
}

/** A message to a worker thread: `prepare` and `begin` for each phase, then `finish`; `interrupt` and `end_phase` at any time. */
export type ToThread =
  | { readonly type: 'prepare'; readonly usedConversations: number }
  | { readonly type: 'begin'; readonly startNs: number }
  | { readonly type: 'finish' }
  | { readonly type: 'interrupt' }
  | { readonly type: 'end_phase' };

/** A message from a worker thread. */
export type FromThread =
  | { readonly type: 'open'; readonly tokenizer: string }
  | { readonly type: 'rejected'; readonly name: string; readonly message: string; readonly syscall?: string }
  | { readonly type: 'prepared'; readonly phase: PhaseName }
  | { readonly type: 'event'; readonly event: PhaseEvent }
  | { readonly type: 'records'; readonly records: readonly RequestRecord[]; readonly bytes: number }
  | DoneMessage;

/** The last message of a worker thread. */
export interface DoneMessage {
  readonly type: 'done';
  readonly summary: LoadSummary;
  /** Total time that sending was paused because records were not processed fast enough, in ns. */
  readonly pausedNs: number;
}
