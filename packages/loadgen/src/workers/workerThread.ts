import { Worker } from 'node:worker_threads';
import { InputError } from '../input/inputError.ts';
import type { FromThread, ThreadTask, ToThread } from './messages.ts';

/** An error for a worker thread that could not be started, for example due to lack of memory. */
export class ThreadError extends Error {
  override name = 'ThreadError';
}

/** A worker thread, as seen by the thread that started it. */
export class WorkerThread {
  /** Name of the thread, such as `worker_0`. */
  readonly id: string;
  readonly number: number;
  /** Receives the thread's messages after `opened` has resolved. */
  onMessage: (message: FromThread) => void = () => {};
  /** Called when the thread has exited. */
  onExit: () => void = () => {};
  /**
   * Resolves with the source of token counts when the thread is ready; rejects if the task is invalid or the
   * thread exits.
   */
  readonly opened: Promise<string>;
  /** Reason for an early exit; undefined while the thread runs and after it has finished. */
  exitReason: string | undefined;
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
        if (message.type === 'open') resolve(message.tokenizer);
        else if (message.type === 'rejected') reject(toError(message));
        else this.#receive(message);
      });
      let reason: string | undefined;
      this.#worker.on('error', error => {
        reason = `${error.name}: ${error.message}`;
      });
      // All messages of the thread are received before this event.
      this.#worker.on('exit', code => {
        if (!this.#isDone) this.exitReason = reason ?? `exited with code ${code}`;
        reject(new ThreadError(`${this.id} failed to start: ${this.exitReason}`));
        this.onExit();
      });
    });
    this.opened.catch(() => {});
  }

  post(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  /** Terminates the thread. */
  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  #receive(message: FromThread): void {
    if (message.type === 'done') this.#isDone = true;
    this.onMessage(message);
  }
}

/** Restores the type of an error from a worker thread. */
function toError({ name, message, syscall }: Extract<FromThread, { type: 'rejected' }>): Error {
  if (name === 'RangeError') return new RangeError(message);
  if (name === 'InputError') return new InputError(message);
  return Object.assign(new Error(message), { name }, syscall === undefined ? {} : { syscall });
}
