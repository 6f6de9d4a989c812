import type { ServerResponse } from 'node:http';

/** Maximum number of tasks per turn of the event loop; about 0.1 ms of work. */
const TASKS_PER_TURN = 8;

/**
 * Runs tasks in order, a few per turn of the event loop: writes of responses, or the processing of requests. An
 * engine step produces tokens for all running requests at once. Writing all of them in one turn would block the
 * thread for milliseconds, while new requests wait unread in their sockets. Requests that arrive together are
 * queued in the same way, so that all of them are read before any is processed.
 */
export class TaskQueue {
  #queue: [ServerResponse, () => void][] = [];
  #next = 0;
  #isScheduled = false;

  /** Queues a task; it is skipped if the client has disconnected by then. */
  add(response: ServerResponse, task: () => void): void {
    this.#queue.push([response, task]);
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#runTasks());
  }

  #runTasks(): void {
    const end = Math.min(this.#next + TASKS_PER_TURN, this.#queue.length);
    while (this.#next < end) {
      const [response, task] = this.#queue[this.#next++]!;
      if (!response.destroyed) task();
    }
    if (this.#next < this.#queue.length) {
      setImmediate(() => this.#runTasks());
      return;
    }
    this.#queue = [];
    this.#next = 0;
    this.#isScheduled = false;
  }
}
