import type { LiveLevel } from './liveState.ts';
import { Readings } from './readings.ts';

/** A rate or a level over the last readings. */
export class LevelHistory {
  readonly #readings = new Readings<number | undefined>();

  /** Adds a reading; undefined if its value is unknown. */
  add(value: number | undefined): void {
    this.#readings.add(value);
  }

  describe(): LiveLevel {
    const { items, last } = this.#readings;
    return { now: last, points: items.map(value => value ?? null) };
  }
}
