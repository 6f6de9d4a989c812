import { EnergySegment, type Split } from './energySplit.ts';
import { createShuffle } from './shuffle.ts';

/** Settings of the search for change points. */
export interface SegmentSettings {
  /** The minimum number of values on each side of a change point. */
  readonly minLength: number;
  /** The maximum number of permutations of a test. */
  readonly permutations: number;
}

/** A change point that a permutation test found. */
export interface FoundSplit {
  /** The index of the first value after the change. */
  readonly at: number;
  readonly p: number;
}

/** A test ends early when this many permutations have a statistic as high as the values (Besag and Clifford, 1991). */
const MAX_EXCEEDANCES = 20;

/**
 * Tests whether a series of values has a change point: returns the most likely one with its p-value. Returns undefined
 * if the series is too short or constant.
 */
export function findFirstSplit(values: readonly number[], settings: SegmentSettings): FoundSplit | undefined {
  if (values.every(value => value === values[0])) return undefined;
  return new SegmentSearch(values, settings).testNext();
}

/**
 * Finds all change points of a series with the E-divisive method (Matteson and James, 2014): the segment with the best
 * split is divided, until a permutation test of the best split exceeds `level`. Returns them in order of time.
 */
export function findSplits(
  values: readonly number[],
  level: number,
  settings: SegmentSettings,
): FoundSplit[] {
  const search = new SegmentSearch(values, settings);
  const found: FoundSplit[] = [];
  for (let next = search.testNext(); next !== undefined && next.p <= level; next = search.testNext()) {
    found.push(next);
    search.divide(next.at);
  }
  return found.sort((a, b) => a.at - b.at);
}

/** A segment, and the index of its first value in the series. */
interface PlacedSegment {
  readonly start: number;
  readonly values: readonly number[];
  readonly energy: EnergySegment;
}

/** The state of a search: the segments of a series so far. */
class SegmentSearch {
  readonly #settings: SegmentSettings;
  readonly #shuffle = createShuffle();
  #segments: readonly PlacedSegment[];

  constructor(values: readonly number[], settings: SegmentSettings) {
    this.#settings = settings;
    this.#segments = [placeSegment(0, values)];
  }

  divide(at: number): void {
    this.#segments = this.#segments.flatMap(segment => {
      const { start, values } = segment;
      if (at <= start || at >= start + values.length) return [segment];
      return [placeSegment(start, values.slice(0, at - start)), placeSegment(at, values.slice(at - start))];
    });
  }

  /** Tests the best split of all segments: the values are permuted within segments. */
  testNext(): FoundSplit | undefined {
    const best = this.#findBest(({ length }) => Array.from({ length }, (_, i) => i));
    if (best === undefined) return undefined;
    // Sums of the same values in another order differ by rounding.
    const threshold = best.energy * (1 - 1e-9);
    let exceedances = 0;
    for (let drawn = 1; drawn <= this.#settings.permutations; drawn++) {
      if (this.#findBest(({ length }) => this.#shuffle(length))!.energy >= threshold) exceedances++;
      if (exceedances === MAX_EXCEEDANCES) return { at: best.at, p: exceedances / drawn };
    }
    return { at: best.at, p: (exceedances + 1) / (this.#settings.permutations + 1) };
  }

  /** Finds the best split of all segments, each in the order that `order` returns. */
  #findBest(order: (segment: EnergySegment) => ArrayLike<number>): Split | undefined {
    let best: Split | undefined;
    for (const { start, energy } of this.#segments) {
      const split = energy.findBestSplit(order(energy), this.#settings.minLength);
      if (split && (best === undefined || split.energy > best.energy))
        best = { at: start + split.at, energy: split.energy };
    }
    return best;
  }
}

function placeSegment(start: number, values: readonly number[]): PlacedSegment {
  return { start, values, energy: new EnergySegment(values) };
}
