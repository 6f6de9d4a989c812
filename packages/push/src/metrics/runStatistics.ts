import type { Run } from '@org/analysis';
import type { Batch, Family, RunIdentity } from './batch.ts';
import { countStatistics, listStatistics } from './statistics.ts';

/** The statistics of a run that has ended, in parts that are created when they are read. */
export interface Statistics {
  readonly run: RunIdentity;
  /** Time of the values, in milliseconds since 1970. */
  readonly timeMs: number;
  /** Number of points of all parts. */
  readonly points: number;
  /** Returns a part by its number, from 0; undefined after the last one. */
  readPart(part: number): Promise<Batch | undefined>;
  /** Called when no receiver needs the statistics any longer. */
  release(): void;
}

/** An iteration over the parts. `next` is the number of the next part. */
interface Iteration {
  readonly parts: Iterator<readonly Family[]>;
  next: number;
}

/** The statistics of an opened run. */
export class RunStatistics implements Statistics {
  readonly run: RunIdentity;
  readonly timeMs: number;
  readonly points: number;
  readonly #source: Pick<Run, 'families'>;
  /** One iteration for each group of receivers that need the same part. */
  #iterations: Iteration[] = [];

  constructor(source: Pick<Run, 'families'>, run: RunIdentity, timeMs: number) {
    this.#source = source;
    this.run = run;
    this.timeMs = timeMs;
    this.points = countStatistics(source);
  }

  async readPart(part: number): Promise<Batch | undefined> {
    const iteration = this.#findIteration(part);
    for (; iteration.next < part; iteration.next++) iteration.parts.next();
    const { done, value } = iteration.parts.next();
    iteration.next += 1;
    return done ? undefined : { run: this.run, timeMs: this.timeMs, families: value };
  }

  release(): void {
    this.#iterations = [];
  }

  /** Returns the iteration that is nearest to a part that it has not passed. */
  #findIteration(part: number): Iteration {
    const candidates = this.#iterations.filter(({ next }) => next <= part);
    const nearest = candidates.sort((a, b) => b.next - a.next)[0];
    if (nearest) return nearest;
    const created = { parts: listStatistics(this.#source), next: 0 };
    this.#iterations.push(created);
    return created;
  }
}
