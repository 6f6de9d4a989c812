import { formatLabelsKey, sortLabels } from '@org/core';
import { LineError } from './badLines.ts';
import type { DeclaredType, Sample } from './exposition.ts';
import { findDistinguishingLabel, findLabel } from './sampleRoles.ts';
import { compareTimestamps, type ExactTimestamp } from './timestamp.ts';

type Labels = Sample['labels'];

/**
 * The relation of a sample to the previous one: same metric and time, another metric or time, or a duplicate.
 */
export type SamplePosition = 'same' | 'next' | 'duplicate';

/**
 * Checks the order of the samples of one family: the samples of a metric (one label set, ignoring `le` and
 * the like) must be contiguous, and their timestamps must ascend (OpenMetrics 1.0, "MetricFamily" and
 * "Timestamps").
 */
export class SampleOrder {
  readonly #family: string;
  readonly #type: DeclaredType;
  /** The keys of finished metrics. Created with the second metric. */
  #finished: Set<string> | undefined;
  /** The series of the current metric and time. Created with the second one. */
  #seriesKeys: Set<string> | undefined;
  #previous: Sample | undefined;
  /** The key of the current metric; undefined until it is needed. */
  #metric: string | undefined;
  #timestamp: ExactTimestamp | undefined;

  constructor(family: string, type: DeclaredType) {
    this.#family = family;
    this.#type = type;
  }

  /** Adds the next sample. With `strict`, throws `LineError` if it breaks the order. */
  add(sample: Sample, timestamp: ExactTimestamp | undefined, strict: boolean): SamplePosition {
    const previous = this.#previous;
    const isSameMetric = this.#isSameMetric(sample, strict);
    if (isSameMetric && strict) this.#checkTime(timestamp);
    const isSameTime = isSameTimestamp(this.#timestamp, timestamp);
    this.#previous = sample;
    this.#timestamp = timestamp;
    if (!previous || !isSameMetric || !isSameTime) {
      this.#seriesKeys = undefined;
      return 'next';
    }
    this.#seriesKeys ??= new Set([this.#getSeriesKey(previous)]);
    const series = this.#getSeriesKey(sample);
    if (this.#seriesKeys.has(series)) return 'duplicate';
    this.#seriesKeys.add(series);
    return 'same';
  }

  #isSameMetric(sample: Sample, strict: boolean): boolean {
    const previous = this.#previous;
    if (!previous) return false;
    if (this.#type === 'info') return true;
    const label = this.#findDistinguishingLabel(sample);
    if (haveSameLabels(previous.labels, this.#findDistinguishingLabel(previous), sample.labels, label))
      return true;
    this.#metric ??= this.#getMetricKey(previous);
    const key = this.#getMetricKey(sample);
    if (key === this.#metric) return true;
    if (strict) this.#finish(this.#metric, key);
    this.#metric = key;
    return false;
  }

  #finish(key: string, next: string): void {
    this.#finished ??= new Set();
    this.#finished.add(key);
    if (this.#finished.has(next)) throw new LineError('the samples of one metric are not contiguous');
  }

  #getMetricKey(sample: Sample): string {
    const label = this.#findDistinguishingLabel(sample);
    return formatLabelsKey(sortLabels(sample.labels.filter(([name]) => name !== label)));
  }

  #checkTime(timestamp: ExactTimestamp | undefined): void {
    const previous = this.#timestamp;
    if ((previous === undefined) !== (timestamp === undefined)) {
      throw new LineError('some samples of one metric have a timestamp and others have none');
    }
    if (previous && timestamp && this.#type !== 'info' && compareTimestamps(previous, timestamp) > 0) {
      throw new LineError('the timestamps of a metric go backwards');
    }
  }

  /** Returns the key that distinguishes samples of one metric and time. */
  #getSeriesKey(sample: Sample): string {
    if (this.#type === 'info') return formatLabelsKey(sortLabels(sample.labels));
    const label = this.#findDistinguishingLabel(sample);
    return label === undefined ? sample.name : `${sample.name} ${findLabel(sample, label)}`;
  }

  #findDistinguishingLabel(sample: Sample): string | undefined {
    return findDistinguishingLabel(this.#family, this.#type, sample);
  }
}

function isSameTimestamp(a: ExactTimestamp | undefined, b: ExactTimestamp | undefined): boolean {
  return a && b ? compareTimestamps(a, b) === 0 : a === b;
}

/** Reports whether two label lists are equal in content and order, each without one label. */
function haveSameLabels(
  a: Labels,
  withoutA: string | undefined,
  b: Labels,
  withoutB: string | undefined,
): boolean {
  if (a === b && withoutA === withoutB) return true;
  let i = 0;
  let j = 0;
  for (;;) {
    if (a[i]?.[0] === withoutA && i < a.length) i++;
    if (b[j]?.[0] === withoutB && j < b.length) j++;
    if (i >= a.length || j >= b.length) return i >= a.length && j >= b.length;
    if (a[i] !== b[j] && (a[i]![0] !== b[j]![0] || a[i]![1] !== b[j]![1])) return false;
    i++;
    j++;
  }
}
