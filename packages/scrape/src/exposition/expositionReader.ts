import { Buffer } from 'node:buffer';
import type { Layout } from '@org/core';
import { BodyDiff } from './bodyDiff.ts';
import { BodyState, type Reading } from './bodyState.ts';
import { parseClassic } from './classicParser.ts';
import type { ExpositionFormat } from './contentType.ts';
import { type Exposition, ExpositionError } from './exposition.ts';
import { CLASSIC_RULES, OpenMetricsRules } from './lineRules.ts';
import { parseOpenMetrics } from './openMetricsParser.ts';
import { placeSamples } from './samplePlacement.ts';

const NEWLINE = 10;

/** Ratio of the capacity of the previous body's buffer to its length, so that slightly longer bodies fit. */
const GROWTH_FACTOR = 1.25;

/**
 * Reads the consecutive bodies of one endpoint into one layout.
 *
 * The first body is read strictly: any invalid line throws `ExpositionError`, because the endpoint may not be
 * compatible. In later bodies, invalid lines are skipped and counted.
 */
export class ExpositionReader {
  readonly layout: Layout;
  readonly #check: (exposition: Exposition) => void;
  readonly #previous = new PreviousBody();
  #difference: BodyDiff | undefined;
  #state: BodyState | undefined;
  /** The format of the last body as announced by the server. */
  #format: ExpositionFormat | undefined;
  /** The format that the last body was parsed in. */
  #actualFormat: ExpositionFormat | undefined;

  /**
   * `check` is called with each body that is parsed as a whole, before it is used. It throws to reject the
   * body.
   */
  constructor(layout: Layout, check: (exposition: Exposition) => void = () => {}) {
    this.layout = layout;
    this.#check = check;
  }

  /**
   * Reads a body. Throws `ExpositionError` if the first body is invalid, or if a later body is truncated or
   * has no samples, and the error of `check` if it rejects the body. `body` is copied for the next
   * comparison, so the caller may reuse its memory.
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

  /** Returns the actual format of a body. It is only determined again when the announced format changes. */
  #resolveFormat(announced: ExpositionFormat): ExpositionFormat {
    return announced === this.#format ? this.#actualFormat! : announced;
  }

  /**
   * Throws `ExpositionError` if the body has no final newline although the previous body had one: the body is
   * truncated, possibly within a number.
   */
  #rejectTruncated(body: Uint8Array): void {
    const wasComplete = this.#previous.bytes.at(-1) === NEWLINE;
    if (!wasComplete || body.length === 0 || body.at(-1) === NEWLINE) return;
    const start = body.lastIndexOf(NEWLINE) + 1;
    const line = Buffer.from(body.subarray(start)).toString('utf8');
    throw new ExpositionError(countLines(body), line, 'the body ends in the middle of a line');
  }
}

/** Throws `ExpositionError` if a body has no samples, such as an error page or an empty body. */
function rejectWithoutSamples(exposition: Exposition, body: Uint8Array): void {
  if (exposition.families.some(family => family.samples.length > 0)) return;
  const badLine = exposition.badLines[0];
  if (badLine) throw new ExpositionError(badLine.line, badLine.text, badLine.reason);
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
 * Parses the first body strictly. Because servers may announce the wrong format, the classic format is tried
 * if the body is not valid OpenMetrics, and OpenMetrics is tried for any body that ends in `# EOF`. If both
 * fail, throws the error for the announced format.
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

/**
 * A copy of an endpoint's last body, in a reused buffer. Keeping the bodies themselves would promote each of
 * them to the old generation of the heap; at hundreds of scrapes per second, garbage collection then took
 * half of the CPU time.
 */
class PreviousBody {
  #buffer: Uint8Array = new Uint8Array(0);
  #bytes: Uint8Array = this.#buffer;

  /** The last body. Valid until the next call to `keep`. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Replaces the copy. */
  keep(body: Uint8Array): void {
    const { length } = body;
    if (length > this.#buffer.length || length < this.#buffer.length / 4)
      this.#buffer = new Uint8Array(Math.ceil(length * GROWTH_FACTOR));
    this.#buffer.set(body);
    if (this.#bytes.length !== length || this.#bytes.buffer !== this.#buffer.buffer)
      this.#bytes = this.#buffer.subarray(0, length);
  }
}
