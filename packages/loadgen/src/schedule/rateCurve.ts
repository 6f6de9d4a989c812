/** A request rate at a time since the start of a series. */
export interface RatePoint {
  readonly timeS: number;
  readonly perSecond: number;
}

/** A part of a curve where the rate changes linearly. */
interface Segment {
  readonly startS: number;
  /** Expected number of arrivals before the segment. */
  readonly arrivals: number;
  /** Rate at the start of the segment, per second. */
  readonly perSecond: number;
  /** Change of the rate, per second squared. */
  readonly slope: number;
}

/** A request rate over time: linear between points, and constant before the first and after the last one. */
export class RateCurve {
  readonly #segments: readonly Segment[];
  #current = 0;

  /** `points` has at least one point, in ascending order of time. The first one is at 0. */
  constructor(points: readonly RatePoint[]) {
    const segments: Segment[] = [];
    let arrivals = 0;
    points.forEach(({ timeS, perSecond }, index) => {
      const next = points[index + 1] ?? { timeS: Number.POSITIVE_INFINITY, perSecond };
      const durationS = next.timeS - timeS;
      segments.push({
        startS: timeS,
        arrivals,
        perSecond,
        slope: Number.isFinite(durationS) ? (next.perSecond - perSecond) / durationS : 0,
      });
      arrivals += ((perSecond + next.perSecond) / 2) * durationS;
    });
    this.#segments = segments;
  }

  /**
   * Returns the time, in seconds, at which the expected number of arrivals reaches `expected`. The values of successive
   * calls must not decrease.
   */
  findTime(expected: number): number {
    while (expected >= (this.#segments[this.#current + 1]?.arrivals ?? Number.POSITIVE_INFINITY))
      this.#current += 1;
    const { startS, arrivals, perSecond, slope } = this.#segments[this.#current]!;
    const rest = expected - arrivals;
    if (rest <= 0) return startS + (slope === 0 ? rest / perSecond : 0);
    // Solves rest = perSecond * t + slope * t^2 / 2 in the form that is exact for small slopes.
    return startS + (2 * rest) / (perSecond + Math.sqrt(perSecond ** 2 + 2 * slope * rest));
  }
}

/** Options of {@link createRateCurve}. */
export interface RateCurveOptions {
  readonly perSecond: number;
  /** Duration of a linear ramp from rate 0, in seconds. */
  readonly rampS: number;
  /** Rates after the ramp, instead of `perSecond`. */
  readonly series: readonly RatePoint[] | undefined;
}

/**
 * Creates a curve that rises linearly from 0 within the ramp, and is then constant or follows the series. Throws
 * RangeError if the series is invalid.
 */
export function createRateCurve({ perSecond, rampS, series }: RateCurveOptions): RateCurve {
  if (series) checkSeries(series);
  const [first, ...more] = series ?? [{ timeS: 0, perSecond }];
  const ramp = rampS > 0 ? [{ timeS: 0, perSecond: 0 }] : [];
  // The first rate also applies before the first point.
  const start = { timeS: rampS, perSecond: first!.perSecond };
  const later = first!.timeS > 0 ? [first!, ...more] : more;
  return new RateCurve([...ramp, start, ...later.map(point => ({ ...point, timeS: rampS + point.timeS }))]);
}

function checkSeries(series: readonly RatePoint[]): void {
  if (series.length < 2)
    throw new RangeError(`the series of request rates has ${series.length} points; expected at least 2`);
  series.forEach(({ timeS, perSecond }, index) => {
    if (!(timeS >= 0 && timeS < 1e7 && timeS > (series[index - 1]?.timeS ?? -1)))
      throw new RangeError(
        `point ${index} of the series of request rates is at ${timeS} s; expected ascending times of at least 0`,
      );
    if (!(perSecond > 0 && perSecond <= 1e6))
      throw new RangeError(
        `the request rate of point ${index} is ${perSecond}; expected a number greater than 0, up to 1000000`,
      );
  });
}
