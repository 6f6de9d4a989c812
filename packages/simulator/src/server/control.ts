import type { Fault } from '../faults/fault.ts';
import { FaultPlan } from '../faults/plan.ts';
import type { Mark } from '../truth.ts';
import type { Listener } from './listener.ts';
import type { Live } from './live.ts';

/** Makes things go wrong, and right again. */
export class Control {
  readonly plan: FaultPlan = new FaultPlan();
  readonly #live: Live;
  readonly #listeners: readonly Listener[];
  readonly #marks = new Map<string, Mark>();
  #reopening: NodeJS.Timeout | undefined;

  constructor(live: Live, listeners: readonly Listener[]) {
    this.#live = live;
    this.#listeners = listeners;
  }

  /** The faults that are still to come. */
  get faults(): readonly Fault[] {
    return this.plan.faults;
  }

  /** Lets something go wrong with the scrapes to come. Throws when it is no fault. */
  inject(...faults: readonly Fault[]): void {
    for (const fault of faults) this.plan.add(fault);
  }

  /** All goes well again. */
  clear(): void {
    this.plan.clear();
  }

  /** Closes the ports, and opens the same ones again after so many seconds. Resolves when they are closed. */
  async refuse(seconds: number): Promise<void> {
    if (!(seconds > 0))
      throw new RangeError(`cannot refuse for ${seconds} seconds; a number above 0 is accepted`);
    clearTimeout(this.#reopening);
    await Promise.all(this.#listeners.map(listener => listener.close()));
    this.#reopening = setTimeout(() => {
      // A port that was taken meanwhile stays closed; there is nobody to tell.
      for (const listener of this.#listeners) listener.reopen().catch(() => {});
    }, seconds * 1000);
  }

  /** As if the process had been killed: connections break, counters begin at 0, the ports stay closed for `downSeconds`. */
  async restart(downSeconds = 0): Promise<void> {
    this.#live.restart();
    if (downSeconds > 0) await this.refuse(downSeconds);
    else for (const listener of this.#listeners) listener.cut();
  }

  /** Remembers this point of the run by a name. */
  mark(name: string): Mark {
    this.#live.catchUp();
    const mark = this.#live.simulation.mark();
    this.#marks.set(name, mark);
    return mark;
  }

  /** A point remembered by {@link mark}. Throws when there is none of that name. */
  marked(name: string): Mark {
    const mark = this.#marks.get(name);
    if (!mark)
      throw new RangeError(
        `mark "${name}" does not exist; there are [${[...this.#marks.keys()].join(', ')}]`,
      );
    return mark;
  }

  /** Gives up on ports that were to open again. */
  stop(): void {
    clearTimeout(this.#reopening);
  }
}
