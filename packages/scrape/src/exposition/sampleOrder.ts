import { formatLabelsKey, sortLabels } from '@org/core';
import { LineError } from './badLines.ts';
import type { DeclaredType, Sample } from './exposition.ts';
import { findDistinguishingLabel, findLabel } from './sampleRoles.ts';
import { compareTimestamps, type ExactTimestamp } from './timestamp.ts';

type Labels = Sample['labels'];

/**
 * The relation of a sample to the previous one. `same`: same metric and timestamp. `next`: another metric or
 * timestamp. `duplicate`: a repeated sample of the same metric and timestamp.
 */
export type SamplePosition = 'same' | 'next' | 'duplicate';

/**
 * Checks the order of the samples of one family. A metric comprises the samples with the same labels, except
 * for `le`, `quantile` or the state label. Its samples must be contiguous, and their timestamps must not
 * decrease (OpenMetrics 1.0, "MetricFamily" and "Timestamps").
 */
export class SampleOrder {
  readonly #family: string;
  readonly #type: DeclaredType;
  /** The keys of finished metrics. Created when the second metric starts. */
  #finished: Set<string> | undefined;
  /** The keys of the samples of the current metric and timestamp. Created at the second sample. */
  #seriesKeys: Set<string> | undefined;
  #previous: Sample | undefined;
  /** The key of the current metric. Computed on demand. */
  #metricKey: string | undefined;
  #timestamp: ExactTimestamp | undefined;

  constructor(family: string, type: DeclaredType) {
    this.#family = family;
    this.#type = type;
  }

  /** Adds the next sample. In strict mode, throws `LineError` if the sample violates the order. */
  add(sample: Sample, timestamp: ExactTimestamp | undefined, strict: boolean): SamplePosition {
    const previous = this.#previous;
    const isSameMetric = this.#isSameMetric(sample, strict);
    if (isSameMetric && strict) this.#checkTimestamp(timestamp);
    const isSameTime = isSameTimestamp(this.#timestamp, timestamp);
    this.#previous = sample;
    this.#timestamp = timestamp;
    if (!previous || !isSameMetric || !isSameTime) {
      this.#seriesKeys = undefined;
      return 'next';
    }
    this.#seriesKeys ??= new Set([this.#getSeriesKey(previous)]);
    const seriesKey = this.#getSeriesKey(sample);
    if (this.#seriesKeys.has(seriesKey)) return 'duplicate';
    this.#seriesKeys.add(seriesKey);
    return 'same';
  }

  #isSameMetric(sample: Sample, strict: boolean): boolean {
    const previous = this.#previous;
    if (!previous) return false;
    if (this.#type === 'info') return true;
    const label = this.#findDistinguishingLabel(sample);
    if (haveSameLabels(previous.labels, this.#findDistinguishingLabel(previous), sample.labels, label))
      return true;
    this.#metricKey ??= this.#getMetricKey(previous);
    const key = this.#getMetricKey(sample);
    if (key === this.#metricKey) return true;
    if (strict) this.#finish(this.#metricKey, key);
    this.#metricKey = key;
    return false;
  }

  /** Marks a metric as finished. Throws `LineError` if the next metric was finished earlier. */
  #finish(key: string, nextKey: string): void {
    this.#finished ??= new Set();
    this.#finished.add(key);
    if (this.#finished.has(nextKey)) throw new LineError('the samples of one metric are not contiguous');
  }

  #getMetricKey(sample: Sample): string {
    const label = this.#findDistinguishingLabel(sample);
    return formatLabelsKey(sortLabels(sample.labels.filter(([name]) => name !== label)));
  }

  /** Throws `LineError` if a timestamp of the current metric is missing, unexpected or decreasing. */
  #checkTimestamp(timestamp: ExactTimestamp | undefined): void {
    const previous = this.#timestamp;
    if ((previous === undefined) !== (timestamp === undefined)) {
      throw new LineError('some samples of one metric have a timestamp and others have none');
    }
    if (previous && timestamp && this.#type !== 'info' && compareTimestamps(previous, timestamp) > 0) {
      throw new LineError('the timestamps of a metric go backwards');
    }
  }

  /** Returns a key that is unique among the samples of one metric and timestamp. */
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

/** Reports whether two label lists are equal, including the order, after removing one label from each. */
function haveSameLabels(
  a: Labels,
  excludedFromA: string | undefined,
  b: Labels,
  excludedFromB: string | undefined,
): boolean {
  if (a === b && excludedFromA === excludedFromB) return true;
  let i = 0;
  let j = 0;
  for (;;) {
    if (a[i]?.[0] === excludedFromA && i < a.length) i++;
    if (b[j]?.[0] === excludedFromB && j < b.length) j++;
    if (i >= a.length || j >= b.length) return i >= a.length && j >= b.length;
    if (a[i] !== b[j] && (a[i]![0] !== b[j]![0] || a[i]![1] !== b[j]![1])) return false;
    i++;
    j++;
  }
}
