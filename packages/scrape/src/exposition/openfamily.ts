import { BucketRules } from './bucketrules.ts';
import type { DeclaredType, Sample, SampleFamily } from './exposition.ts';
import type { Instant } from './instant.ts';
import { MetricGroups } from './metricgroups.ts';
import { memberNames, misfit } from './metricparts.ts';
import { Unreadable } from './unreadable.ts';

/** Where a line is in its body. */
export interface Place {
  readonly start: number;
  readonly end: number;
  /** From 1. */
  readonly line: number;
}

/** A family of OpenMetrics whose lines are being read. */
export class OpenFamily {
  readonly name: string;
  type: DeclaredType | undefined;
  help: string | undefined;
  unit: string | undefined;
  members: readonly string[];
  readonly samples: Sample[] = [];
  /** Where its first line is, for a report on the family as a whole. */
  readonly at: Place;
  #groups: MetricGroups | undefined;
  #buckets: BucketRules | undefined;

  constructor(name: string, at: Place) {
    this.name = name;
    this.at = at;
    this.members = [name];
  }

  declare(type: DeclaredType): void {
    this.type = type;
    this.members = memberNames(this.name, type);
  }

  /** Takes a sample that bears one of its names. Throws why it cannot; with `strict`, also when it breaks the order. */
  add(sample: Sample, instant: Instant | undefined, strict: boolean): void {
    const type = this.type ?? 'unknown';
    if (sample.native) {
      this.samples.push(sample);
      return;
    }
    const reason = misfit(this.name, type, sample);
    if (reason) throw new Unreadable(reason);
    this.#groups ??= new MetricGroups(this.name, type);
    const standing = this.#groups.add(sample, instant, strict);
    if (standing === 'twice') return;
    if (strict && (type === 'histogram' || type === 'gaugehistogram')) {
      if (standing === 'next') this.#nextHistogram();
      this.#buckets?.add(sample);
    }
    this.samples.push(sample);
  }

  #nextHistogram(): void {
    this.#buckets?.finish();
    this.#buckets = new BucketRules(this.name);
  }

  /** Throws when it is not a family as a whole. */
  check(): void {
    const { name, unit, type } = this;
    this.#buckets?.finish();
    if (!unit) return;
    if (type === 'info' || type === 'stateset') throw new Unreadable(`a ${type} has no unit, got ${unit}`);
    if (!name.endsWith(`_${unit}`)) throw new Unreadable(`${name} must end in its unit, _${unit}`);
  }

  finished(): SampleFamily {
    const { name, type = 'unknown', help = '', unit, samples } = this;
    return unit ? { name, type, help, unit, samples } : { name, type, help, samples };
  }
}
