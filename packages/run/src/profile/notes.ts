import type { MarkRecord } from '@org/record';
import type { Clock } from '@org/scrape';
import type { Log } from '../lifecycle/log.ts';
import { MarkListener } from '../marks/listener.ts';
import { accepted, MarkKeeper, refused } from '../marks/markKeeper.ts';
import type { MarkAnswer, MarkRequest } from '../marks/protocol.ts';

export interface NotesOptions {
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly keep: (mark: MarkRecord) => void;
}

/** What others say of a run that knows its phases itself: notes. */
export class Notes {
  readonly #options: NotesOptions;
  readonly #keeper: MarkKeeper;
  #listener: MarkListener | undefined;

  constructor(options: NotesOptions) {
    this.#options = options;
    this.#keeper = new MarkKeeper(options.keep, options.log);
  }

  /** Begins to take them. Without notes a run is as good as with them. */
  async open(): Promise<void> {
    const { folder, log } = this.#options;
    try {
      this.#listener = await MarkListener.open(folder, request => Promise.resolve(this.#take(request)));
    } catch (error) {
      log.warning(`no notes can be made: ${(error as Error).message}`);
    }
  }

  async close(): Promise<void> {
    await this.#listener?.close();
    this.#listener = undefined;
  }

  #take(request: MarkRequest): MarkAnswer {
    const atNs = this.#options.clock.nowNs();
    if (request.mark !== 'note')
      return refused(
        'servelens profile puts the load on itself, and profiling begins when its warm-up is over; only notes are taken',
      );
    const refusal = this.#keeper.noteRefusal();
    if (refusal) return refusal;
    this.#keeper.keep(request, atNs);
    return accepted(atNs, 'noted');
  }
}
