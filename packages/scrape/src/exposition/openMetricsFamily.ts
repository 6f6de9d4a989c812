import { LineError } from './badLines.ts';
import { BucketRules } from './bucketRules.ts';
import type { DeclaredType, Sample, SampleFamily } from './exposition.ts';
import { SampleOrder } from './sampleOrder.ts';
import { findViolation, listSampleNames } from './sampleRoles.ts';
import type { ExactTimestamp } from './timestamp.ts';

/** The offsets of a line in its body, and its number. */
export interface LinePosition {
  readonly start: number;
  readonly end: number;
  /** Line number, counted from 1. */
  readonly line: number;
}

/** An OpenMetrics family that is being parsed. */
export class OpenMetricsFamily {
  readonly name: string;
  type: DeclaredType | undefined;
  help: string | undefined;
  unit: string | undefined;
  /** The sample names that the type of the family allows. */
  sampleNames: readonly string[];
  readonly samples: Sample[] = [];
  /** The position of the family's first line, for errors that concern the whole family. */
  readonly position: LinePosition;
  #order: SampleOrder | undefined;
  #bucketRules: BucketRules | undefined;

  constructor(name: string, position: LinePosition) {
    this.name = name;
    this.position = position;
    this.sampleNames = [name];
  }

  /** Sets the type of the family, which determines its sample names. */
  declare(type: DeclaredType): void {
    this.type = type;
    this.sampleNames = listSampleNames(this.name, type);
  }

  /**
   * Adds a sample with one of the family's sample names; ignores duplicates. Throws `LineError` if the sample
   * violates the rules of the family's type, and in strict mode also if it violates the order of samples or
   * the rules of buckets.
   */
  add(sample: Sample, timestamp: ExactTimestamp | undefined, strict: boolean): void {
    const type = this.type ?? 'unknown';
    if (sample.native) {
      this.samples.push(sample);
      return;
    }
    const violation = findViolation(this.name, type, sample);
    if (violation) throw new LineError(violation);
    this.#order ??= new SampleOrder(this.name, type);
    const order = this.#order.add(sample, timestamp, strict);
    if (order === 'duplicate') return;
    if (strict && (type === 'histogram' || type === 'gaugehistogram')) {
      if (order === 'next') this.#startHistogram();
      this.#bucketRules?.add(sample);
    }
    this.samples.push(sample);
  }

  #startHistogram(): void {
    this.#bucketRules?.finish();
    this.#bucketRules = new BucketRules(this.name);
  }

  /** Throws `LineError` if the family as a whole is invalid. */
  check(): void {
    const { name, unit, type } = this;
    this.#bucketRules?.finish();
    if (!unit) return;
    if (type === 'info' || type === 'stateset') throw new LineError(`a ${type} has no unit, got ${unit}`);
    if (!name.endsWith(`_${unit}`)) throw new LineError(`${name} must end in its unit, _${unit}`);
  }

  /** Returns the parsed family. */
  build(): SampleFamily {
    const { name, type = 'unknown', help = '', unit, samples } = this;
    return unit ? { name, type, help, unit, samples } : { name, type, help, samples };
  }
}
