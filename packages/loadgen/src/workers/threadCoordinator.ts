import type { PhaseName } from '../requestRecord.ts';
import type { Share, Team } from '../run/phaseCoordinator.ts';
import type { FromThread, ToThread } from './messages.ts';

/** A thread's run among those of the others: it prepares and begins a phase when it is told to. */
export class Teammate implements Team {
  readonly share: Share;
  readonly #post: (message: FromThread) => void;
  /** Takes what is told next. */
  #resume: ((value: number | undefined) => void) | undefined;

  constructor(share: Share, post: (message: FromThread) => void) {
    this.share = share;
    this.#post = post;
  }

  prepare(): Promise<number | undefined> {
    return this.#told();
  }

  async begin(phase: PhaseName): Promise<number> {
    const told = this.#told();
    this.#post({ is: 'prepared', phase });
    return (await told)!;
  }

  hear(message: Exclude<ToThread, { do: 'interrupt' }>): void {
    const resume = this.#resume;
    if (!resume) throw new Error(`BUG: the load thread was told to ${message.do}, and waits for nothing`);
    this.#resume = undefined;
    if (message.do === 'prepare') resume(message.used);
    else resume(message.do === 'begin' ? message.startNs : undefined);
  }

  #told(): Promise<number | undefined> {
    return new Promise(resolve => {
      this.#resume = resolve;
    });
  }
}
