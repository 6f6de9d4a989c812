import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { Ledger } from '../run/ledger.ts';
import type { LoadRun } from '../run/loadSummary.ts';
import { originOf } from './clockOrigin.ts';
import type { LoadDescription, LoadListener, ThreadTask } from './messages.ts';
import { WorkerRun } from './workerRun.ts';
import { LoadThread } from './workerThread.ts';

/** Most threads of one load. */
export const MOST_WORKERS = 256;

/** A load that threads of their own are ready to put on. */
export interface Workers {
  /** Who counts the tokens: a tokenizer's name, or `server`. */
  readonly tokenizer: string;
  /** Begins the run; once. */
  start(listener: LoadListener): LoadRun;
  /** Ends the threads at once, whatever they do. */
  close(): Promise<void>;
}

/**
 * Starts threads that put on a load together: each opens the inputs and the tokenizer for itself. The requests, their order and the
 * schedule are those of `startLoad`, and so is the run; records come in batches, at most some 100 ms after their requests ended, and in
 * that order only within a thread. Rejects for options, inputs and tokenizers that cannot be used, as what makes them does, and with a
 * `ThreadError` when a thread cannot be started.
 */
export async function openWorkers(
  options: LoadDescription & { readonly workers: number; readonly clock: Clock },
): Promise<Workers> {
  const { workers, clock, ...load } = options;
  if (!(Number.isInteger(workers) && workers >= 1 && workers <= MOST_WORKERS))
    throw new RangeError(`workers is ${workers}; a whole number from 1 to ${MOST_WORKERS} is accepted`);
  const origin = originOf(clock);
  const memory = new SharedArrayBuffer(Ledger.bytes(workers));
  const common = { load, workers, origin, memory, channel: `servelens-${randomUUID()}` };
  const tasks = Array.from({ length: workers }, (_, worker): ThreadTask => ({ ...common, worker }));
  const threads = tasks.map(task => new LoadThread(task));
  const close = async (): Promise<void> => {
    await Promise.all(threads.map(thread => thread.stop()));
  };
  try {
    const [tokenizer] = await Promise.all(threads.map(({ opened }) => opened));
    return {
      tokenizer: tokenizer!,
      start: listener => new WorkerRun({ threads, load, origin, memory, tokenizer: tokenizer!, listener }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
