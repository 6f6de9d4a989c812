import { randomUUID } from 'node:crypto';
import type { Clock } from '@org/core';
import { Ledger } from '../run/ledger.ts';
import type { LoadRun } from '../run/loadSummary.ts';
import { readOrigin } from './clockOrigin.ts';
import type { LoadDescription, LoadListener, ThreadTask } from './messages.ts';
import { WorkerRun } from './workerRun.ts';
import { WorkerThread } from './workerThread.ts';

/** Maximum number of worker threads of one load. */
export const MAX_WORKERS = 256;

/** Worker threads that are ready to send a load. */
export interface Workers {
  /** Source of token counts: a tokenizer's name, or `server`. */
  readonly tokenizer: string;
  /** Starts the run. Call it once. */
  start(listener: LoadListener): LoadRun;
  /** Terminates the threads, even during a run. */
  close(): Promise<void>;
}

/**
 * Starts worker threads that send a load together; each opens the inputs and the tokenizer itself. Requests,
 * their order and their schedule are the same as for `startLoad`. Records are delivered in batches, at most
 * about 100 ms after their requests end, and ordered by end time only within a thread. Rejects if options,
 * inputs or the tokenizer are invalid, with the same errors as the functions that open them, and with a
 * `ThreadError` if a thread cannot be started.
 */
export async function openWorkers(
  options: LoadDescription & { readonly workers: number; readonly clock: Clock },
): Promise<Workers> {
  const { workers, clock, ...load } = options;
  if (!(Number.isInteger(workers) && workers >= 1 && workers <= MAX_WORKERS))
    throw new RangeError(`workers is ${workers}; expected an integer from 1 to ${MAX_WORKERS}`);
  const origin = readOrigin(clock);
  const memory = new SharedArrayBuffer(Ledger.computeBytes(workers));
  const common = { load, workers, origin, memory, channel: `servelens-${randomUUID()}` };
  const tasks = Array.from({ length: workers }, (_, worker): ThreadTask => ({ ...common, worker }));
  const threads = tasks.map(task => new WorkerThread(task));
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
