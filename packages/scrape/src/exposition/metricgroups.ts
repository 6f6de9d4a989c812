import { labelsKey, sortedLabels } from '@org/core';
import type { DeclaredType, Sample } from './exposition.ts';
import { compareInstants, type Instant } from './instant.ts';
import { labelOf, partLabel } from './metricparts.ts';
import { Unreadable } from './unreadable.ts';

type Labels = Sample['labels'];

/** How a sample stands to the one before it: of the same point in time of the same metric, of another, or there twice. */
export type Standing = 'same' | 'next' | 'twice';

/**
 * Follows the order of the samples of one family: the samples of a metric (one label set, without `le` and the like) stand
 * together, and its points in time follow each other (OpenMetrics 1.0, "MetricFamily" and "Timestamps").
 */
export class MetricGroups {
  readonly #family: string;
  readonly #type: DeclaredType;
  /** The keys of the metrics whose samples are over. Made when there is a second metric. */
  #over: Set<string> | undefined;
  /** The series of the present metric at the present time. Made when there is a second one. */
  #present: Set<string> | undefined;
  #before: Sample | undefined;
  /** Of the present metric; undefined while nobody has asked for it. */
  #key: string | undefined;
  #instant: Instant | undefined;

  constructor(family: string, type: DeclaredType) {
    this.#family = family;
    this.#type = type;
  }

  /** Takes the next sample. With `strict`, throws when it breaks the order. */
  add(sample: Sample, instant: Instant | undefined, strict: boolean): Standing {
    const before = this.#before;
    const sameGroup = this.#inGroup(sample, strict);
    if (sameGroup && strict) this.#checkTime(instant);
    const sameTime = isSame(this.#instant, instant);
    this.#before = sample;
    this.#instant = instant;
    if (!before || !sameGroup || !sameTime) {
      this.#present = undefined;
      return 'next';
    }
    this.#present ??= new Set([this.#seriesKey(before)]);
    const series = this.#seriesKey(sample);
    if (this.#present.has(series)) return 'twice';
    this.#present.add(series);
    return 'same';
  }

  #inGroup(sample: Sample, strict: boolean): boolean {
    const before = this.#before;
    if (!before) return false;
    if (this.#type === 'info') return true;
    const part = this.#partLabel(sample);
    if (sameLabels(before.labels, this.#partLabel(before), sample.labels, part)) return true;
    this.#key ??= this.#metricKey(before);
    const key = this.#metricKey(sample);
    if (key === this.#key) return true;
    if (strict) this.#leave(this.#key, key);
    this.#key = key;
    return false;
  }

  #leave(key: string, next: string): void {
    this.#over ??= new Set();
    this.#over.add(key);
    if (this.#over.has(next)) throw new Unreadable('the samples of one metric do not stand together');
  }

  #metricKey(sample: Sample): string {
    const part = this.#partLabel(sample);
    return labelsKey(sortedLabels(sample.labels.filter(([name]) => name !== part)));
  }

  #checkTime(instant: Instant | undefined): void {
    const before = this.#instant;
    if ((before === undefined) !== (instant === undefined)) {
      throw new Unreadable('some samples of one metric have a timestamp and others have none');
    }
    if (before && instant && this.#type !== 'info' && compareInstants(before, instant) > 0) {
      throw new Unreadable('the timestamps of a metric go backwards');
    }
  }

  /** What tells samples of one metric and time apart. */
  #seriesKey(sample: Sample): string {
    if (this.#type === 'info') return labelsKey(sortedLabels(sample.labels));
    const part = this.#partLabel(sample);
    return part === undefined ? sample.name : `${sample.name} ${labelOf(sample, part)}`;
  }

  #partLabel(sample: Sample): string | undefined {
    return partLabel(this.#family, this.#type, sample);
  }
}

function isSame(a: Instant | undefined, b: Instant | undefined): boolean {
  return a && b ? compareInstants(a, b) === 0 : a === b;
}

/** Whether two label lists say the same in the same order, each without one label. */
function sameLabels(
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
