import { LineError } from './badLines.ts';
import { BucketRules } from './bucketRules.ts';
import type { DeclaredType, Sample, SampleFamily } from './exposition.ts';
import { SampleOrder } from './sampleOrder.ts';
import { findViolation, listSampleNames } from './sampleRoles.ts';
import type { ExactTimestamp } from './timestamp.ts';

/** Where a line is in its body. */
export interface LinePosition {
  readonly start: number;
  readonly end: number;
  /** From 1. */
  readonly line: number;
}

/** A family of OpenMetrics whose lines are being read. */
export class OpenMetricsFamily {
  readonly name: string;
  type: DeclaredType | undefined;
  help: string | undefined;
  unit: string | undefined;
  sampleNames: readonly string[];
  readonly samples: Sample[] = [];
  /** Where its first line is, for a report on the family as a whole. */
  readonly position: LinePosition;
  #order: SampleOrder | undefined;
  #buckets: BucketRules | undefined;

  constructor(name: string, position: LinePosition) {
    this.name = name;
    this.position = position;
    this.sampleNames = [name];
  }

  declare(type: DeclaredType): void {
    this.type = type;
    this.sampleNames = listSampleNames(this.name, type);
  }

  /** Takes a sample that bears one of its names. Throws why it cannot; with `strict`, also when it breaks the order. */
  add(sample: Sample, timestamp: ExactTimestamp | undefined, strict: boolean): void {
    const type = this.type ?? 'unknown';
    if (sample.native) {
      this.samples.push(sample);
      return;
    }
    const reason = findViolation(this.name, type, sample);
    if (reason) throw new LineError(reason);
    this.#order ??= new SampleOrder(this.name, type);
    const placement = this.#order.add(sample, timestamp, strict);
    if (placement === 'duplicate') return;
    if (strict && (type === 'histogram' || type === 'gaugehistogram')) {
      if (placement === 'next') this.#startHistogram();
      this.#buckets?.add(sample);
    }
    this.samples.push(sample);
  }

  #startHistogram(): void {
    this.#buckets?.finish();
    this.#buckets = new BucketRules(this.name);
  }

  /** Throws when it is not a family as a whole. */
  check(): void {
    const { name, unit, type } = this;
    this.#buckets?.finish();
    if (!unit) return;
    if (type === 'info' || type === 'stateset') throw new LineError(`a ${type} has no unit, got ${unit}`);
    if (!name.endsWith(`_${unit}`)) throw new LineError(`${name} must end in its unit, _${unit}`);
  }

  build(): SampleFamily {
    const { name, type = 'unknown', help = '', unit, samples } = this;
    return unit ? { name, type, help, unit, samples } : { name, type, help, samples };
  }
}
