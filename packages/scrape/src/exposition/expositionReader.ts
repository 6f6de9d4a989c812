import { Buffer } from 'node:buffer';
import type { HistogramSeries, Layout, SummarySeries } from '@org/core';
import { BodyDiff } from './bodyDiff.ts';
import { parseClassic } from './classicParser.ts';
import type { ExpositionFormat } from './contentType.ts';
import { type BadLine, type Exposition, ExpositionError } from './exposition.ts';
import { CLASSIC_RULES, OpenMetricsRules } from './lineRules.ts';
import { parseOpenMetrics } from './openMetricsParser.ts';
import { PreviousBody } from './previousBody.ts';
import { type OmittedFamilies, type Placement, placeSamples } from './samplePlacement.ts';

const NEWLINE = 10;

/** The result of reading one body. */
export interface Reading {
  /** Values by slot, NaN if absent. Valid until the next body is read; stores copy them. */
  readonly values: Float64Array;
  /** False if the body equals the previous one, byte for byte. */
  readonly changed: boolean;
  /** True if only values differed from the previous body, so that nothing had to be parsed again. */
  readonly steady: boolean;
  /** Number of samples in the body. */
  readonly samples: number;
  /** Number of samples dropped because they, or another part of the same histogram, are NaN or infinite. */
  readonly dropped: number;
  /** Skipped invalid lines: the first ones, and their total number. */
  readonly badLines: readonly BadLine[];
  readonly badLineCount: number;
  /** Metric families that are not recorded. */
  readonly omitted: OmittedFamilies;
  /** Size of the body, in bytes. */
  readonly bytes: number;
}

/**
 * Reads the bodies of one endpoint, one after the other, into one layout.
 *
 * The first body decides whether the endpoint is compatible: any invalid line in it throws `ExpositionError`.
 * In later bodies, invalid lines are skipped and counted.
 */
export class ExpositionReader {
  readonly layout: Layout;
  readonly #check: (exposition: Exposition) => void;
  readonly #previous = new PreviousBody();
  #difference: BodyDiff | undefined;
  #state: BodyState | undefined;
  /** The announced and the actual format of the last body. */
  #format: ExpositionFormat | undefined;
  #actualFormat: ExpositionFormat | undefined;

  /**
   * `check` is called with every body that is not just a change of values, before it is used, and may throw.
   */
  constructor(layout: Layout, check: (exposition: Exposition) => void = () => {}) {
    this.layout = layout;
    this.#check = check;
  }

  /**
   * Reads a body. The copy kept for the next comparison is independent of `body`. Throws `ExpositionError` if
   * the first body is invalid, or a later one was truncated.
   */
  read(body: Uint8Array, format: ExpositionFormat): Reading {
    const state = this.#state;
    if (state && format === this.#format) {
      const previous = this.#previous.bytes;
      if (Buffer.compare(body, previous) === 0) return state.toReading(false, true, body.length);
      if (this.#difference && this.#difference.read(previous, body, state.raw) !== -1) {
        this.#previous.keep(body);
        return state.toReading(true, true, body.length);
      }
      this.#difference = undefined;
    }
    return this.#readWhole(body, format);
  }

  #readWhole(body: Uint8Array, format: ExpositionFormat): Reading {
    const hasPrevious = this.#state !== undefined;
    if (hasPrevious) this.#rejectTruncated(body);
    const { exposition, format: actualFormat } = hasPrevious
      ? { exposition: parse(body, this.#resolveFormat(format), false), format: this.#resolveFormat(format) }
      : readFirst(body, format);
    if (hasPrevious) rejectWithoutSamples(exposition, body);
    this.#check(exposition);
    const placement = placeSamples(this.layout, exposition);
    this.#state = new BodyState(this.layout.slotCount, exposition, placement);
    const rules = actualFormat === 'classic' ? CLASSIC_RULES : new OpenMetricsRules(exposition);
    this.#difference = new BodyDiff(placement.samples, placement.slots, rules);
    this.#previous.keep(body);
    this.#format = format;
    this.#actualFormat = actualFormat;
    return this.#state.toReading(true, false, body.length);
  }

  /** While the announced format stays the same, so does the actual one. */
  #resolveFormat(announced: ExpositionFormat): ExpositionFormat {
    return announced === this.#format ? this.#actualFormat! : announced;
  }

  /**
   * Throws if the body lacks the final newline that the previous one had: it was truncated, possibly within a
   * number.
   */
  #rejectTruncated(body: Uint8Array): void {
    const whole = this.#previous.bytes.at(-1) === NEWLINE;
    if (!whole || body.length === 0 || body.at(-1) === NEWLINE) return;
    const start = body.lastIndexOf(NEWLINE) + 1;
    const line = Buffer.from(body.subarray(start)).toString('utf8');
    throw new ExpositionError(countLines(body), line, 'the body ends in the middle of a line');
  }
}

/** Throws if a later body has no sample: it is an error page, or empty. */
function rejectWithoutSamples(exposition: Exposition, body: Uint8Array): void {
  if (exposition.families.some(family => family.samples.length > 0)) return;
  const line = exposition.badLines[0];
  if (line) throw new ExpositionError(line.line, line.text, line.reason);
  throw new ExpositionError(
    1,
    Buffer.from(body.subarray(0, 200)).toString('utf8'),
    'the body has no samples',
  );
}

/** A parsed body and its actual format. */
interface FirstReading {
  readonly exposition: Exposition;
  readonly format: ExpositionFormat;
}

/**
 * Parses the first body strictly. Servers may announce the wrong format: bodies announced as OpenMetrics may
 * be classic text, and OpenMetrics bodies (ending in `# EOF`) may be announced as text. Throws the error of
 * the announced format.
 */
function readFirst(body: Uint8Array, announced: ExpositionFormat): FirstReading {
  const formats: ExpositionFormat[] =
    announced === 'openmetrics' || endsInEof(body) ? ['openmetrics', 'classic'] : ['classic'];
  let announcedError: unknown;
  for (const format of formats) {
    try {
      return { exposition: parse(body, format, true), format };
    } catch (error) {
      if (!(error instanceof ExpositionError)) throw error;
      if (format === announced) announcedError = error;
    }
  }
  throw announcedError;
}

function endsInEof(body: Uint8Array): boolean {
  return /\n# EOF\n?$/.test(Buffer.from(body.subarray(-8)).toString('latin1'));
}

function parse(body: Uint8Array, format: ExpositionFormat, strict: boolean): Exposition {
  return format === 'classic' ? parseClassic(body, { strict }) : parseOpenMetrics(body, { strict });
}

function countLines(body: Uint8Array): number {
  let line = 1;
  for (const byte of body) if (byte === NEWLINE) line++;
  return line;
}

/** The values and metadata of one body. Reused while only values change. */
class BodyState {
  /** The values as sent, including non-finite ones; written by `BodyDiff`. */
  readonly raw: Float64Array;
  readonly #clean: Float64Array;
  readonly #composites: readonly (HistogramSeries | SummarySeries)[];
  /** True if each composite has a sum and a count, and is therefore complete if all values are finite. */
  readonly #hasAllTotals: boolean;
  /** By slot: 1 if the body has a sample, finite or not. */
  readonly #present: Uint8Array;
  /**
   * The parts of the exposition that are kept. Its samples would take more memory than everything else of an
   * endpoint.
   */
  readonly #badLines: readonly BadLine[];
  readonly #badLineCount: number;
  readonly #omitted: OmittedFamilies;
  readonly #samples: number;

  constructor(slotCount: number, exposition: Exposition, placement: Placement) {
    this.raw = new Float64Array(slotCount).fill(Number.NaN);
    this.#clean = new Float64Array(slotCount);
    this.#present = new Uint8Array(slotCount);
    placement.samples.forEach((sample, index) => {
      const slot = placement.slots[index]!;
      if (slot === -1) return;
      this.raw[slot] = sample.value;
      this.#present[slot] = 1;
    });
    this.#composites = placement.composites;
    this.#hasAllTotals = this.#composites.every(
      ({ sum, count }) => this.#present[sum] === 1 && this.#present[count] === 1,
    );
    this.#badLines = exposition.badLines;
    this.#badLineCount = exposition.badLineCount;
    this.#omitted = placement.omitted;
    this.#samples = placement.samples.length;
  }

  toReading(changed: boolean, steady: boolean, bytes: number): Reading {
    const dropped = this.#dropNonFinite();
    return {
      values: dropped === 0 ? this.raw : this.#clean,
      changed,
      steady,
      samples: this.#samples,
      dropped,
      badLines: this.#badLines,
      badLineCount: this.#badLineCount,
      omitted: this.#omitted,
      bytes,
    };
  }

  /**
   * Drops non-finite values, and whole histograms with a non-finite part. For summaries, only sum and count
   * decide, because quantiles are NaN while a server is idle. Returns the number of dropped samples.
   */
  #dropNonFinite(): number {
    let dropped = this.#countNonFinite();
    if (dropped === 0 && this.#hasAllTotals) return 0;
    const { raw } = this;
    const clean = this.#clean;
    for (let slot = 0; slot < raw.length; slot++)
      clean[slot] = Number.isFinite(raw[slot]!) ? raw[slot]! : Number.NaN;
    for (const series of this.#composites) {
      if (!this.#isBroken(series)) continue;
      for (const slot of listSlots(series)) {
        if (!Number.isNaN(clean[slot])) dropped++;
        clean[slot] = Number.NaN;
      }
    }
    return dropped;
  }

  /** Counts the non-finite samples of the body. */
  #countNonFinite(): number {
    const { raw } = this;
    const present = this.#present;
    let count = 0;
    for (let slot = 0; slot < raw.length; slot++) {
      // Only for a non-finite value, the difference from itself is not 0.
      if (raw[slot]! - raw[slot]! !== 0 && present[slot] === 1) count++;
    }
    return count;
  }

  /**
   * Reports whether a composite has a non-finite part. Absent buckets do not count; the store handles them.
   */
  #isBroken(series: HistogramSeries | SummarySeries): boolean {
    const { raw } = this;
    if (!Number.isFinite(raw[series.sum]!) || !Number.isFinite(raw[series.count]!)) return true;
    if (series.kind === 'summary') return false;
    for (const { slot } of series.buckets) {
      if (this.#present[slot] === 1 && !Number.isFinite(raw[slot]!)) return true;
    }
    return false;
  }
}

function listSlots(series: HistogramSeries | SummarySeries): number[] {
  const parts = series.kind === 'histogram' ? series.buckets : series.quantiles;
  return [series.sum, series.count, ...parts.map(part => part.slot)];
}
