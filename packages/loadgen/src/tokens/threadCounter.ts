import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Counted, Counter, CountJob } from './counter.ts';
import type { ThreadAnswer } from './counterThread.ts';
import { EMBEDDED_TOKENIZER } from './openTokenizer.ts';

/**
 * Counts in a thread of its own, so that a long text does not make the stamps of arriving chunks late. Resolves when its
 * tokenizer is loaded; rejects when there is none of that name.
 */
export async function openThreadCounter(name: string = EMBEDDED_TOKENIZER): Promise<Counter> {
  const worker = new Worker(new URL('./counterThread.js', import.meta.url), { workerData: name });
  await once(worker, 'message');
  return new ThreadCounter(name, worker);
}

interface Waiting {
  resolve(counted: Counted): void;
  reject(error: Error): void;
}

class ThreadCounter implements Counter {
  readonly name: string;
  readonly #worker: Worker;
  /** Jobs in the order in which their answers will come. */
  readonly #waiting: Waiting[] = [];
  #last: Promise<unknown> = Promise.resolve();

  constructor(name: string, worker: Worker) {
    this.name = name;
    this.#worker = worker;
    worker.unref();
    worker.on('message', (answer: ThreadAnswer) => this.#answered(answer));
    worker.on('error', error => this.#failed(error));
    worker.on('exit', () => this.#failed(new Error('the counting thread has ended')));
  }

  count(job: CountJob): Promise<Counted> {
    const counting = new Promise<Counted>((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
    });
    this.#last = counting.catch(() => {});
    // While there is something to count, the process must not end.
    this.#worker.ref();
    this.#worker.postMessage({ ...job, kinds: job.kinds.slice() });
    return counting;
  }

  async close(): Promise<void> {
    await this.#last;
    await this.#worker.terminate();
  }

  #answered(answer: ThreadAnswer): void {
    if (answer === 'ready') return;
    const waiting = this.#waiting.shift();
    if (this.#waiting.length === 0) this.#worker.unref();
    if ('error' in answer) waiting?.reject(new Error(answer.error));
    else waiting?.resolve(answer);
  }

  #failed(error: Error): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}
