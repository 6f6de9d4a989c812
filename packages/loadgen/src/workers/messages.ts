import type { InputsDescription } from '../input/inputsDescription.ts';
import type { PhaseName, RequestRecord } from '../requestRecord.ts';
import type { LoadOptions, PhaseEvent } from '../run/loadOptions.ts';
import type { LoadSummary } from '../run/loadSummary.ts';
import type { Origin } from './clockOrigin.ts';

/** Who follows a load. */
export type LoadListener = Pick<LoadOptions, 'signal' | 'onRecord' | 'onPhase' | 'beforePhase'>;

/** A load as data: what is no function of {@link LoadOptions}, and descriptions of the rest. */
export type LoadDescription = Omit<
  LoadOptions,
  keyof LoadListener | 'clock' | 'inputs' | 'counter' | 'workerId'
> & {
  readonly inputs: InputsDescription;
  /** Writes prompts and counts tokens: a name or a path, as for `openTokenizer`. Without one a word counts as a token of a prompt. */
  readonly tokenizer?: string;
  /** Whether it counts the tokens of requests and answers as well; true by default. */
  readonly countsTokens?: boolean;
};

/** What a thread is started with. */
export interface ThreadTask {
  readonly load: LoadDescription;
  /** Number of the thread, from 0. */
  readonly worker: number;
  readonly workers: number;
  readonly origin: Origin;
  /** Memory of the ledger. */
  readonly memory: SharedArrayBuffer;
  /** Name of the channel on which threads nudge each other. */
  readonly channel: string;
}

/** What a thread is told, one after the other for each phase: to prepare it, to begin it; at last to finish. */
export type ToThread =
  | { readonly do: 'prepare'; readonly used: number }
  | { readonly do: 'begin'; readonly startNs: number }
  | { readonly do: 'finish' }
  | { readonly do: 'interrupt' };

/** What a thread tells. */
export type FromThread =
  | { readonly is: 'open'; readonly tokenizer: string }
  | { readonly is: 'refused'; readonly name: string; readonly message: string; readonly syscall?: string }
  | { readonly is: 'prepared'; readonly phase: PhaseName }
  | { readonly is: 'event'; readonly event: PhaseEvent }
  | { readonly is: 'records'; readonly records: readonly RequestRecord[]; readonly weight: number }
  | DoneMessage;

/** The last thing that a thread tells. `heldNs`: how long it could send nothing new. */
export interface DoneMessage {
  readonly is: 'done';
  readonly summary: LoadSummary;
  readonly heldNs: number;
}
