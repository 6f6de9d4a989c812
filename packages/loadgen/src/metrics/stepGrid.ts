import { accumulateChanges, CURVES, type CurveName, type Steps } from './curves.ts';

/** Number of cells; each takes 56 bytes. */
const CELLS = 1 << 20;
/** Initial width of a cell: 1 ms, for up to 17 minutes. */
const INITIAL_WIDTH_NS = 1_000_000;

/**
 * The changes of curves over time in bounded memory. Times are rounded to multiples of the width of a cell, which
 * doubles whenever the cells do not cover the time any more.
 */
export class StepGrid {
  /** The changes of each curve by cell. */
  readonly #changes = CURVES.map(() => new Float64Array(CELLS));
  #widthNs = INITIAL_WIDTH_NS;

  get widthNs(): number {
    return this.#widthNs;
  }

  /** Adds changes at a time of at least 0. */
  add(timeNs: number, readChange: (curve: CurveName) => number): void {
    while (Math.round(timeNs / this.#widthNs) >= CELLS) this.#widen();
    const cell = Math.max(0, Math.round(timeNs / this.#widthNs));
    this.#changes.forEach((changes, curve) => {
      changes[cell]! += readChange(CURVES[curve]!);
    });
  }

  /** Lists the times with changes, in order. */
  listSteps(): Steps {
    const cells = this.#listCells();
    return {
      times: Float64Array.from(cells, cell => cell * this.#widthNs),
      accumulate: (curve, values) => {
        const changes = this.#changes[CURVES.indexOf(curve)]!;
        accumulateChanges(values, step => changes[cells[step]!]!);
      },
    };
  }

  /** Doubles the width of cells: each gets the changes of two. */
  #widen(): void {
    for (const changes of this.#changes) {
      for (let cell = 0; cell < CELLS / 2; cell++)
        changes[cell] = changes[2 * cell]! + changes[2 * cell + 1]!;
      changes.fill(0, CELLS / 2);
    }
    this.#widthNs *= 2;
  }

  /** Returns the cells with changes, in ascending order. */
  #listCells(): Uint32Array {
    const cells = new Uint32Array(CELLS);
    let count = 0;
    for (let cell = 0; cell < CELLS; cell++)
      if (this.#changes.some(changes => changes[cell] !== 0)) cells[count++] = cell;
    return cells.subarray(0, count);
  }
}
