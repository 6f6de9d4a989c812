import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { CountJob, CountResult, TokenCounter } from './counter.ts';
import type { CounterMessage, CounterTask } from './counterThread.ts';
import { EMBEDDED_TOKENIZER } from './tokenizer.ts';

/**
 * Opens a counter that runs in a worker thread, so that counting a long text does not delay the timestamps of
 * arriving chunks. Resolves when the tokenizer is loaded; rejects if the tokenizer cannot be opened. With
 * `appliesChatTemplate`, the messages of jobs are counted with the chat template of the tokenizer.
 */
export async function openThreadCounter(
  name: string = EMBEDDED_TOKENIZER,
  { appliesChatTemplate = false }: Partial<Pick<CounterTask, 'appliesChatTemplate'>> = {},
): Promise<TokenCounter> {
  const workerData: CounterTask = { tokenizer: name, appliesChatTemplate };
  const worker = new Worker(new URL('./counterThread.js', import.meta.url), { workerData });
  await once(worker, 'message');
  return new ThreadCounter(name, worker);
}

interface PendingJob {
  resolve(result: CountResult): void;
  reject(error: Error): void;
}

class ThreadCounter implements TokenCounter {
  readonly name: string;
  readonly #worker: Worker;
  /** Jobs without a result, oldest first. Results arrive in the same order. */
  readonly #pending: PendingJob[] = [];
  #lastResult: Promise<unknown> = Promise.resolve();

  constructor(name: string, worker: Worker) {
    this.name = name;
    this.#worker = worker;
    worker.unref();
    worker.on('message', (message: CounterMessage) => this.#onMessage(message));
    worker.on('error', error => this.#rejectAll(error));
    worker.on('exit', () => this.#rejectAll(new Error('the token counter thread has exited')));
  }

  count(job: CountJob): Promise<CountResult> {
    const result = new Promise<CountResult>((resolve, reject) => {
      this.#pending.push({ resolve, reject });
    });
    this.#lastResult = result.catch(() => {});
    // Keep the process alive while jobs are pending.
    this.#worker.ref();
    this.#worker.postMessage({ ...job, kinds: job.kinds.slice() });
    return result;
  }

  async close(): Promise<void> {
    await this.#lastResult;
    await this.#worker.terminate();
  }

  #onMessage(message: CounterMessage): void {
    if (message === 'ready') return;
    const job = this.#pending.shift();
    if (this.#pending.length === 0) this.#worker.unref();
    if ('error' in message) job?.reject(new Error(message.error));
    else job?.resolve(message);
  }

  #rejectAll(error: Error): void {
    for (const { reject } of this.#pending.splice(0)) reject(error);
  }
}
