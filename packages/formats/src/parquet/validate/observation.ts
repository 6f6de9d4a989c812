import { parseBound } from '../../json/numericKeys.ts';
import { type Findings, formatCellPlace } from './findings.ts';

/** Further buckets of a timestamp are not checked, to limit memory. */
const MAX_BUCKETS = 100_000;

interface Bucket {
  readonly row: number;
  readonly le: string;
  readonly bound: number;
  readonly bucketCount: number;
}

/**
 * Checks the buckets of one histogram at one timestamp, which are in consecutive rows, in any order: each bound must occur
 * once, counts must not decrease, and `+Inf` must equal count.
 *
 * After a restart of the server, each bucket is a delta that is clamped to 0 separately, so that counts can decrease. A reset is
 * detected if count decreases, or if count is 0 and a bucket is not.
 */
export class Observation {
  readonly #findings: Findings;
  #buckets: Bucket[] = [];
  #sum = 0;
  #count = 0;
  #metric = '';
  #isReset = false;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  /** Starts another series; the previous timestamp is complete. */
  beginSeries(metric: string): void {
    this.finish();
    this.#metric = metric;
    this.#isReset = false;
    this.#count = 0;
  }

  /** Starts another timestamp; the previous one is complete. */
  begin(sum: number, count: number): void {
    this.finish();
    this.#isReset ||= count < this.#count;
    this.#sum = sum;
    this.#count = count;
  }

  add(row: number, le: string, bucketCount: number, sum: number, count: number): void {
    if (sum !== this.#sum || count !== this.#count) {
      const message = `of ${this.#metric}: sum ${sum} and count ${count} differ from the first row of the timestamp (${this.#sum} and ${this.#count})`;
      this.#findings.add('buckets-count', formatCellPlace(row, 'count'), message, count);
    }
    if (this.#buckets.length < MAX_BUCKETS) {
      this.#buckets.push({ row, le, bound: parseBound(le), bucketCount });
    }
  }

  finish(): void {
    const buckets = this.#buckets;
    if (buckets.length === 0) return;
    this.#buckets = [];
    const unknown = buckets.find(bucket => Number.isNaN(bucket.bound));
    if (unknown) {
      this.#report('buckets-bounds', unknown, 'bucket_le', 'is not a number', unknown.le);
      return;
    }
    if (!buckets.every((bucket, i) => i === 0 || bucket.bound >= buckets[i - 1]!.bound)) {
      buckets.sort((a, b) => (a.bound < b.bound ? -1 : a.bound > b.bound ? 1 : 0));
    }
    this.#isReset ||= this.#count === 0 && buckets.some(bucket => bucket.bucketCount > 0);
    this.#checkAdjacentBuckets(buckets);
    const last = buckets.at(-1)!;
    if (last.bound !== Number.POSITIVE_INFINITY) {
      const message =
        'is the last bucket; expected +Inf, which counts every observation, in the same consecutive rows';
      this.#report('buckets-infinity', last, 'bucket_le', message, last.le);
    } else if (last.bucketCount !== this.#count) {
      const message = `is ${last.bucketCount}, but count is ${this.#count}; the +Inf bucket must count every observation`;
      this.#report('buckets-count', last, 'bucket_count', message, last.bucketCount);
    }
  }

  #checkAdjacentBuckets(buckets: readonly Bucket[]): void {
    for (let i = 1; i < buckets.length; i++) {
      const before = buckets[i - 1]!;
      const bucket = buckets[i]!;
      if (bucket.bound === before.bound) {
        const message = `is the same bound as ${JSON.stringify(before.le)} in row ${before.row}; each bound must occur once per timestamp`;
        this.#report('buckets-bounds', bucket, 'bucket_le', message, bucket.le);
      } else if (bucket.bucketCount < before.bucketCount && !this.#isReset) {
        const message = `is ${bucket.bucketCount}, less than bucket ${JSON.stringify(before.le)} (${before.bucketCount}); buckets are cumulative, so counts must not decrease`;
        this.#report('buckets-monotone', bucket, 'bucket_count', message, bucket.bucketCount);
      }
    }
  }

  #report(
    rule: 'buckets-bounds' | 'buckets-infinity' | 'buckets-monotone' | 'buckets-count',
    bucket: Bucket,
    column: string,
    message: string,
    value: unknown,
  ): void {
    const which = `bucket ${JSON.stringify(bucket.le)} of ${this.#metric} `;
    this.#findings.add(rule, formatCellPlace(bucket.row, column), which + message, value);
  }
}
