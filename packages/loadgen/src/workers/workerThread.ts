import { Worker } from 'node:worker_threads';
import { InputError } from '../input/inputFile.ts';
import type { FromThread, ThreadTask, ToThread } from './messages.ts';

/** A thread that could not be started: there may be no memory for it. */
export class ThreadError extends Error {
  override name = 'ThreadError';
}

/** A load thread as whoever started it sees it. */
export class LoadThread {
  /** `worker_0`. */
  readonly id: string;
  readonly number: number;
  /** Takes what it tells once it is open. */
  onMessage: (message: FromThread) => void = () => {};
  /** Called when it has ended. */
  onEnd: () => void = () => {};
  /** Resolves with the name of what counts tokens; rejects when the thread refuses its task or ends. */
  readonly opened: Promise<string>;
  /** What it ended of; undefined while it lives and when it was done. */
  death: string | undefined;
  #isDone = false;
  readonly #worker: Worker;

  constructor(task: ThreadTask) {
    this.id = `worker_${task.worker}`;
    this.number = task.worker;
    this.#worker = new Worker(new URL('./workerMain.js', import.meta.url), {
      workerData: task,
      name: this.id,
    });
    this.opened = new Promise((resolve, reject) => {
      this.#worker.on('message', (message: FromThread) => {
        if (message.is === 'open') resolve(message.tokenizer);
        else if (message.is === 'refused') reject(refusal(message));
        else this.#heard(message);
      });
      let reason: string | undefined;
      this.#worker.on('error', error => {
        reason = `${error.name}: ${error.message}`;
      });
      // All that it has told was heard before this.
      this.#worker.on('exit', code => {
        if (!this.#isDone) this.death = reason ?? `it exited with code ${code}`;
        reject(new ThreadError(`${this.id} ended before it was ready: ${this.death}`));
        this.onEnd();
      });
    });
    this.opened.catch(() => {});
  }

  tell(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  /** Ends it at once. */
  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  #heard(message: FromThread): void {
    if (message.is === 'done') this.#isDone = true;
    this.onMessage(message);
  }
}

/** The error as it would have been in this thread. */
function refusal({ name, message, syscall }: Extract<FromThread, { is: 'refused' }>): Error {
  if (name === 'RangeError') return new RangeError(message);
  if (name === 'InputError') return new InputError(message);
  return Object.assign(new Error(message), { name }, syscall === undefined ? {} : { syscall });
}
