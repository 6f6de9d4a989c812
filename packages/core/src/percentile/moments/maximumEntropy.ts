const MAX_STEPS = 40;
const MEAN_TOLERANCE = 1e-8;

/**
 * Finds the masses weight * exp(a x + b x^2) that are closest to `weight` (by Kullback-Leibler divergence)
 * and have a given mean. If these masses have a larger variance than `variance`, also matches the variance.
 * Uses Newton's method on the convex dual, with x scaled to 0..1.
 *
 * @param at positions of the cells, ascending
 * @param weight prior masses of the cells; need not add up to 1
 */
export function matchMoments(
  at: Float64Array,
  weight: Float64Array,
  mean: number,
  variance: number,
): Float64Array {
  const cells = at.length;
  const span = at[cells - 1]! - at[0]!;
  const total = weight.reduce((sum, mass) => sum + mass, 0);
  if (!(span > 0)) return weight.map(mass => mass / total);
  const positions = at.map(x => (x - at[0]!) / span);
  const target = Math.min(Math.max((mean - at[0]!) / span, 1e-9), 1 - 1e-9);
  const tilted = new TiltedMasses(positions, weight);
  tilted.matchMean(target);
  const scaledVariance = variance / (span * span);
  if (scaledVariance < tilted.variance()) tilted.matchMeanAndVariance(target, scaledVariance);
  return tilted.mass;
}

/** Normalized masses weight * exp(a x + b x^2) and their moments. */
class TiltedMasses {
  readonly mass: Float64Array;
  readonly #positions: Float64Array;
  readonly #weight: Float64Array;
  #m1 = 0;
  #m2 = 0;
  #m3 = 0;
  #m4 = 0;
  /** Logarithm of the normalizing constant. */
  #logNorm = 0;

  constructor(positions: Float64Array, weight: Float64Array) {
    this.#positions = positions;
    this.#weight = weight;
    this.mass = new Float64Array(positions.length);
  }

  /** Returns the variance of the current masses. */
  variance(): number {
    return Math.max(this.#m2 - this.#m1 * this.#m1, 1e-14);
  }

  /** Matches the mean, with b = 0. */
  matchMean(target: number): void {
    let a = 0;
    for (let step = 0; step < MAX_STEPS; step += 1) {
      this.#set(a, 0);
      if (Math.abs(target - this.#m1) < MEAN_TOLERANCE) return;
      const maxStep = 1 + Math.abs(a);
      a += Math.min(Math.max((target - this.#m1) / this.variance(), -maxStep), maxStep);
    }
  }

  /** Matches mean and variance, starting from the normal distribution with these moments. */
  matchMeanAndVariance(mean: number, variance: number): void {
    const square = variance + mean * mean;
    let b = -0.5 / variance;
    let a = mean / variance;
    let value = this.#computeDual(a, b, mean, square);
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const g1 = this.#m1 - mean;
      const g2 = this.#m2 - square;
      const h11 = this.#m2 - this.#m1 * this.#m1 + 1e-12;
      const h12 = this.#m3 - this.#m1 * this.#m2;
      const h22 = this.#m4 - this.#m2 * this.#m2 + 1e-12;
      const determinant = h11 * h22 - h12 * h12;
      const da = (h22 * g1 - h12 * g2) / determinant;
      const db = (h11 * g2 - h12 * g1) / determinant;
      let share = 1;
      let next = this.#computeDual(a - da, b - db, mean, square);
      while (!(next <= value) && share > 1e-6) {
        share /= 2;
        next = this.#computeDual(a - share * da, b - share * db, mean, square);
      }
      if (!(next <= value)) {
        this.#set(a, b);
        return;
      }
      a -= share * da;
      b -= share * db;
      if (value - next < 1e-11) return;
      value = next;
    }
  }

  /** Sets a and b, and returns the value of the dual function, which is minimized. */
  #computeDual(a: number, b: number, mean: number, square: number): number {
    this.#set(a, b);
    return this.#logNorm - a * mean - b * square;
  }

  /** Computes the masses and their moments for a and b. */
  #set(a: number, b: number): void {
    const { mass } = this;
    const positions = this.#positions;
    const weight = this.#weight;
    // The largest exponent in 0..1 is at an end, or at the peak of the parabola.
    let top = Math.max(0, a + b);
    if (b < 0) {
      const peak = Math.min(Math.max(-a / (2 * b), 0), 1);
      top = Math.max(top, peak * (a + b * peak));
    }
    let s0 = 0;
    let s1 = 0;
    let s2 = 0;
    let s3 = 0;
    let s4 = 0;
    for (let cell = 0; cell < positions.length; cell += 1) {
      const x = positions[cell]!;
      const m = weight[cell]! * Math.exp(x * (a + b * x) - top);
      mass[cell] = m;
      const mx = m * x;
      const mxx = mx * x;
      s0 += m;
      s1 += mx;
      s2 += mxx;
      s3 += mxx * x;
      s4 += mxx * x * x;
    }
    for (let cell = 0; cell < mass.length; cell += 1) mass[cell]! /= s0;
    this.#m1 = s1 / s0;
    this.#m2 = s2 / s0;
    this.#m3 = s3 / s0;
    this.#m4 = s4 / s0;
    this.#logNorm = top + Math.log(s0);
  }
}
