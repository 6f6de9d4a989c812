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

/** What one body said. */
export interface Reading {
  /** Value by slot, `NaN` where there is none. Valid until the next body is read; a store copies it. */
  readonly values: Float64Array;
  /** False when the body is, byte for byte, the previous one. */
  readonly changed: boolean;
  /** True when only values differed from the previous body, so that nothing had to be read anew. */
  readonly steady: boolean;
  /** Sample lines in the body. */
  readonly samples: number;
  /** Samples that were dropped because they are NaN or infinite, or belong to a histogram with such a part. */
  readonly dropped: number;
  /** Lines that could not be read, and how many there were. */
  readonly badLines: readonly BadLine[];
  readonly badLineCount: number;
  /** Families without a column. */
  readonly left: OmittedFamilies;
  /** How many bytes the body has. */
  readonly bytes: number;
}

/**
 * Reads the bodies of one endpoint, one after the other, into one layout.
 *
 * The first body decides whether the endpoint speaks the format: any bad line in it throws `ExpositionError` (seed 002,
 * "Compatibility & auto-disable"). From then on a bad line is left out and counted, and the rest is used.
 */
export class ExpositionReader {
  readonly layout: Layout;
  readonly #check: (exposition: Exposition) => void;
  readonly #previous = new PreviousBody();
  #difference: BodyDiff | undefined;
  #state: BodyState | undefined;
  /** As the last body was announced, and as it was read. */
  #format: ExpositionFormat | undefined;
  #actualFormat: ExpositionFormat | undefined;

  /** `check` sees every body that is not like the one before it, ahead of its use, and throws what it has against it. */
  constructor(layout: Layout, check: (exposition: Exposition) => void = () => {}) {
    this.layout = layout;
    this.#check = check;
  }

  /**
   * Reads a body. What is kept of it for comparison with the next one is a copy.
   * Throws `ExpositionError` when a first body is not of the format, or a later one was cut short.
   */
  read(body: Uint8Array, format: ExpositionFormat): Reading {
    const state = this.#state;
    if (state && format === this.#format) {
      const previous = this.#previous.bytes;
      if (Buffer.compare(body, previous) === 0) return state.reading(false, true, body.length);
      if (this.#difference && this.#difference.read(previous, body, state.raw) !== -1) {
        this.#previous.keep(body);
        return state.reading(true, true, body.length);
      }
      this.#difference = undefined;
    }
    return this.#readWhole(body, format);
  }

  #readWhole(body: Uint8Array, format: ExpositionFormat): Reading {
    const hasPrevious = this.#state !== undefined;
    if (hasPrevious) this.#rejectTruncated(body);
    const { exposition, format: spoken } = hasPrevious
      ? { exposition: parse(body, this.#resolveFormat(format), false), format: this.#resolveFormat(format) }
      : readFirst(body, format);
    if (hasPrevious) rejectWithoutSamples(exposition, body);
    this.#check(exposition);
    const placement = placeSamples(this.layout, exposition);
    this.#state = new BodyState(this.layout.slotCount, exposition, placement);
    const rules = spoken === 'classic' ? CLASSIC_RULES : new OpenMetricsRules(exposition);
    this.#difference = new BodyDiff(placement.samples, placement.slots, rules);
    this.#previous.keep(body);
    this.#format = format;
    this.#actualFormat = spoken;
    return this.#state.reading(true, false, body.length);
  }

  /** While a server announces what it announced before, it speaks what it spoke. */
  #resolveFormat(announced: ExpositionFormat): ExpositionFormat {
    return announced === this.#format ? this.#actualFormat! : announced;
  }

  /** A body that suddenly lacks its last newline has lost its end: its last number may be half a number. */
  #rejectTruncated(body: Uint8Array): void {
    const whole = this.#previous.bytes.at(-1) === NEWLINE;
    if (!whole || body.length === 0 || body.at(-1) === NEWLINE) return;
    const start = body.lastIndexOf(NEWLINE) + 1;
    const line = Buffer.from(body.subarray(start)).toString('utf8');
    throw new ExpositionError(lineNumber(body), line, 'the body ends in the middle of a line');
  }
}

/** A later body without one sample is not a scrape: an error state, or nothing at all. */
function rejectWithoutSamples(exposition: Exposition, body: Uint8Array): void {
  if (exposition.families.some(family => family.samples.length > 0)) return;
  const line = exposition.badLines[0];
  if (line) throw new ExpositionError(line.line, line.text, line.reason);
  throw new ExpositionError(1, Buffer.from(body.subarray(0, 200)).toString('utf8'), 'the body has no sample');
}

/** A whole body, and the format that it is really in. */
interface FirstReading {
  readonly exposition: Exposition;
  readonly format: ExpositionFormat;
}

/**
 * Reads a first body strictly. Servers mislabel (reference A7): what is announced as OpenMetrics may be classic text, and a
 * body that ends as OpenMetrics must end may be announced as text. Throws what the announced format has against the body.
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

function lineNumber(body: Uint8Array): number {
  let line = 1;
  for (const byte of body) if (byte === NEWLINE) line++;
  return line;
}

/** The values of one body and what is hasPrevious of its lines; stays while only values change. */
class BodyState {
  /** As the lines say, non-finite ones too; `BodyDiff` writes here. */
  readonly raw: Float64Array;
  readonly #clean: Float64Array;
  readonly #composites: readonly (HistogramSeries | SummarySeries)[];
  /** Whether each of them has a sum and a count, so that without a value that is not finite all of them are whole. */
  readonly #hasAllTotals: boolean;
  /** By slot: 1 where the body has a sample, finite or not. */
  readonly #present: Uint8Array;
  /** All that is kept of the exposition: its samples would take more memory than everything else of an endpoint. */
  readonly #badLines: readonly BadLine[];
  readonly #badLineCount: number;
  readonly #left: OmittedFamilies;
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
    this.#left = placement.left;
    this.#samples = placement.samples.length;
  }

  reading(changed: boolean, steady: boolean, bytes: number): Reading {
    const dropped = this.#dropNonFinite();
    return {
      values: dropped === 0 ? this.raw : this.#clean,
      changed,
      steady,
      samples: this.#samples,
      dropped,
      badLines: this.#badLines,
      badLineCount: this.#badLineCount,
      left: this.#left,
      bytes,
    };
  }

  /**
   * Takes out what is not finite, and the whole of a histogram that has lost a part (DESIGN decision 12). The quantiles of
   * a summary are NaN while it is idle, so there only sum and count decide. Returns how many samples were taken out.
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

  /** How many samples of the body are not finite. */
  #countNonFinite(): number {
    const { raw } = this;
    const present = this.#present;
    let count = 0;
    for (let slot = 0; slot < raw.length; slot++) {
      // Only with a value that is not finite is the difference to itself not 0.
      if (raw[slot]! - raw[slot]! !== 0 && present[slot] === 1) count++;
    }
    return count;
  }

  /** A bound that this body does not have, though another had, breaks nothing: the store has a rule for it. */
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
