import type { PhaseName } from '../requestRecord.ts';
import type { PhaseCoordinator, WorkerShare } from '../run/phaseCoordinator.ts';
import type { FromThread, ToThread } from './messages.ts';

/**
 * Coordinates a worker thread's run with the other threads: messages from the main thread prepare and start
 * each phase.
 */
export class ThreadCoordinator implements PhaseCoordinator {
  readonly share: WorkerShare;
  readonly #post: (message: FromThread) => void;
  /** Resolves the wait for the next message. */
  #resolve: ((value: number | undefined) => void) | undefined;

  constructor(share: WorkerShare, post: (message: FromThread) => void) {
    this.share = share;
    this.#post = post;
  }

  prepare(): Promise<number | undefined> {
    return this.#waitForMessage();
  }

  async begin(phase: PhaseName): Promise<number> {
    const startNs = this.#waitForMessage();
    this.#post({ type: 'prepared', phase });
    return (await startNs)!;
  }

  /** Handles a message from the main thread. */
  receive(message: Exclude<ToThread, { type: 'interrupt' }>): void {
    const resolve = this.#resolve;
    if (!resolve) throw new Error(`BUG: unexpected message "${message.type}" to the worker thread`);
    this.#resolve = undefined;
    if (message.type === 'prepare') resolve(message.usedConversations);
    else resolve(message.type === 'begin' ? message.startNs : undefined);
  }

  #waitForMessage(): Promise<number | undefined> {
    return new Promise(resolve => {
      this.#resolve = resolve;
    });
  }
}
