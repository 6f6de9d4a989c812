import { CURVE_COUNT, type Steps } from './curves.ts';

/** Number of cells; each takes 56 bytes. */
const CELLS = 1 << 20;
/** Initial width of a cell: 1 ms, for up to 17 minutes. */
const INITIAL_WIDTH_NS = 1_000_000;

/**
 * The changes of curves over time in bounded memory. Times are rounded to multiples of the width of a cell, which
 * doubles whenever the cells do not cover the time any more.
 */
export class StepGrid {
  readonly #changes = new Float64Array(CELLS * CURVE_COUNT);
  #widthNs = INITIAL_WIDTH_NS;

  get widthNs(): number {
    return this.#widthNs;
  }

  /** Adds changes at a time of at least 0. */
  add(timeNs: number, changes: Float64Array): void {
    while (Math.round(timeNs / this.#widthNs) >= CELLS) this.#widen();
    this.#addTo(Math.max(0, Math.round(timeNs / this.#widthNs)), changes);
  }

  /** Lists the times with changes, in order. */
  listSteps(): Steps {
    const cells = this.#listCells();
    return visit => {
      for (const cell of cells) visit(cell * this.#widthNs, this.#getChanges(cell));
    };
  }

  /** Moves the changes of two cells to one. No cell is overwritten before it is moved, because they are in order. */
  #widen(): void {
    for (const cell of this.#listCells()) {
      const changes = this.#getChanges(cell).slice();
      this.#getChanges(cell).fill(0);
      this.#addTo(Math.floor(cell / 2), changes);
    }
    this.#widthNs *= 2;
  }

  #addTo(cell: number, changes: Float64Array): void {
    const offset = cell * CURVE_COUNT;
    for (let curve = 0; curve < CURVE_COUNT; curve++) this.#changes[offset + curve]! += changes[curve]!;
  }

  #getChanges(cell: number): Float64Array {
    return this.#changes.subarray(cell * CURVE_COUNT, (cell + 1) * CURVE_COUNT);
  }

  /** Returns the cells with changes, in ascending order. */
  #listCells(): Uint32Array {
    const cells = new Uint32Array(CELLS);
    let count = 0;
    for (let index = 0; index < this.#changes.length; index++) {
      if (this.#changes[index] === 0) continue;
      cells[count++] = Math.floor(index / CURVE_COUNT);
      index = cells[count - 1]! * CURVE_COUNT + CURVE_COUNT - 1;
    }
    return cells.subarray(0, count);
  }
}
