import type { Steps } from './curves.ts';
import { type RequestInterval, RequestIntervals } from './requestIntervals.ts';
import { StepGrid } from './stepGrid.ts';

/** Limits of {@link LoadCurves}. */
export interface CurveLimits {
  /** Maximum number of requests with exact times, each of which takes 56 bytes; one million by default. */
  readonly maxRequests?: number;
  /** Maximum number of gaps between chunks, each of which takes 8 bytes; two million by default. */
  readonly maxGaps?: number;
}

/** Number of stored requests that move to the grid with each new request, so that no request waits for all of them. */
const MOVED_REQUESTS = 8;
/** The memory of requests in the grid is released if there are at least this many of them. */
const MIN_RELEASED_REQUESTS = 1024;

/**
 * Stores the times and token counts of requests, and lists the changes of the curves of the load.
 *
 * Memory is bounded: above the maximum number of gaps, no gaps are stored. Above the maximum number of requests, times
 * are rounded to a grid.
 */
export class LoadCurves {
  readonly #maxRequests: number;
  readonly #maxGaps: number;
  #requests = new RequestIntervals();
  #storesGaps = true;
  #grid: StepGrid | undefined;
  /** Number of requests in `#requests` that are in the grid. */
  #moved = 0;

  constructor({ maxRequests = 1_000_000, maxGaps = 2_000_000 }: CurveLimits = {}) {
    this.#maxRequests = maxRequests;
    this.#maxGaps = maxGaps;
  }

  /** The resolution of times, in ns; undefined while they are exact. */
  get resolutionNs(): number | undefined {
    return this.#grid?.widthNs;
  }

  add(request: RequestInterval): void {
    if (!this.#grid && this.#requests.length === this.#maxRequests) {
      this.#dropGaps();
      this.#grid = new StepGrid();
    }
    this.#requests.add(this.#storesGaps ? request : { ...request, gapsNs: [] });
    if (this.#requests.gapCount > this.#maxGaps) this.#dropGaps();
    if (this.#grid) this.#moveToGrid(this.#grid, MOVED_REQUESTS);
  }

  /** Sorts the times at which curves change. */
  sortSteps(): Steps {
    if (!this.#grid) return this.#requests.sortSteps();
    this.#moveToGrid(this.#grid, Number.POSITIVE_INFINITY);
    return this.#grid.listSteps();
  }

  #dropGaps(): void {
    this.#storesGaps = false;
    this.#requests.dropGaps();
  }

  /** Moves up to `count` requests to the grid. */
  #moveToGrid(grid: StepGrid, count: number): void {
    const end = Math.min(this.#requests.length, this.#moved + count);
    while (this.#moved < end)
      this.#requests.visitChanges(this.#moved++, (timeNs, readChange) => grid.add(timeNs, readChange));
    if (this.#moved < Math.max(this.#requests.length, MIN_RELEASED_REQUESTS)) return;
    this.#requests = new RequestIntervals();
    this.#moved = 0;
  }
}
