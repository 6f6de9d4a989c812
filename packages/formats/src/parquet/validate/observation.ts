import { parseBound } from '../../json/numericKeys.ts';
import { type Findings, locateCell } from './findings.ts';

/** Maximum number of buckets checked per timestamp, to limit memory use. */
const MAX_BUCKETS = 100_000;

interface Bucket {
  readonly row: number;
  readonly le: string;
  readonly bound: number;
  readonly bucketCount: number;
}

/**
 * Checks the buckets of one histogram at one timestamp, which are in consecutive rows, in any order: each
 * bound must occur once, counts must not decrease, and `+Inf` must equal count.
 *
 * After a restart of the server, each bucket is a delta that is clamped to 0 separately, so that counts can
 * decrease. A reset is detected if count decreases, or if count is 0 and a bucket is not.
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

  /** Checks the previous timestamp and starts another series. */
  beginSeries(metric: string): void {
    this.finish();
    this.#metric = metric;
    this.#isReset = false;
    this.#count = 0;
  }

  /** Checks the previous timestamp and starts another timestamp of the same series. */
  beginTimestamp(sum: number, count: number): void {
    this.finish();
    this.#isReset ||= count < this.#count;
    this.#sum = sum;
    this.#count = count;
  }

  add(row: number, le: string, bucketCount: number, sum: number, count: number): void {
    if (sum !== this.#sum || count !== this.#count) {
      const message = `of ${this.#metric}: sum ${sum} and count ${count} differ from the first row of the timestamp (${this.#sum} and ${this.#count})`;
      this.#findings.add('buckets-count', locateCell(row, 'count'), message, count);
    }
    if (this.#buckets.length < MAX_BUCKETS) {
      this.#buckets.push({ row, le, bound: parseBound(le), bucketCount });
    }
  }

  /** Checks the buckets of the current timestamp. */
  finish(): void {
    const buckets = this.#buckets;
    if (buckets.length === 0) return;
    this.#buckets = [];
    const invalid = buckets.find(bucket => Number.isNaN(bucket.bound));
    if (invalid) {
      this.#report('buckets-bounds', invalid, 'bucket_le', 'is not a number', invalid.le);
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
      const previous = buckets[i - 1]!;
      const bucket = buckets[i]!;
      if (bucket.bound === previous.bound) {
        const message = `is the same bound as ${JSON.stringify(previous.le)} in row ${previous.row}; each bound must occur once per timestamp`;
        this.#report('buckets-bounds', bucket, 'bucket_le', message, bucket.le);
      } else if (bucket.bucketCount < previous.bucketCount && !this.#isReset) {
        const message = `is ${bucket.bucketCount}, less than bucket ${JSON.stringify(previous.le)} (${previous.bucketCount}); buckets are cumulative, so counts must not decrease`;
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
    const subject = `bucket ${JSON.stringify(bucket.le)} of ${this.#metric} `;
    this.#findings.add(rule, locateCell(bucket.row, column), subject + message, value);
  }
}
