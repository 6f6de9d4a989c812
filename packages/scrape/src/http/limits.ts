import type { Exposition } from '../exposition/exposition.ts';
import { FetchError } from './failure.ts';

/** What one body of an endpoint may have. */
export interface BodyLimits {
  /** Sample lines. */
  readonly samples: number;
  /** Labels of one sample, `le` and `quantile` included. */
  readonly labels: number;
  /** Bytes of a label's name, in UTF-8. */
  readonly labelNameBytes: number;
  /** Bytes of a label's value, in UTF-8. */
  readonly labelValueBytes: number;
}

/** What one scrape of an endpoint may cost us. */
export interface ScrapeLimits extends BodyLimits {
  /** Bytes of the body on the wire. */
  readonly encodedBytes: number;
  /** Bytes of the body after decompression. */
  readonly decodedBytes: number;
}

/** Far above what servers have: a large vLLM body is 0.2 MB, has 2,000 samples and a dozen labels. */
export const DEFAULT_LIMITS: ScrapeLimits = {
  encodedBytes: 64 * 1024 ** 2,
  decodedBytes: 256 * 1024 ** 2,
  samples: 1_000_000,
  labels: 256,
  labelNameBytes: 1024,
  labelValueBytes: 65_536,
};

/** The names by which a user sets them: `--limit samples=5000`, `limits: {samples: 5000}`. */
export const LIMIT_NAMES: Readonly<Record<keyof ScrapeLimits, string>> = {
  encodedBytes: 'encoded_bytes',
  decodedBytes: 'decoded_bytes',
  samples: 'samples',
  labels: 'labels',
  labelNameBytes: 'label_name_bytes',
  labelValueBytes: 'label_value_bytes',
};

/** What to say of a body that has too much of something: what was problem, what is accepted, how to accept more. */
export function formatLimitExceeded(problem: string, limit: keyof ScrapeLimits, max: number): string {
  const name = LIMIT_NAMES[limit];
  return `${problem}; the limit ${name} accepts at most ${max} (--limit ${name}=N raises it)`;
}

const NEWLINE = 10;
const HASH = 35;
/** `a 1` and its newline: no sample is shorter. */
const MIN_SAMPLE_BYTES = 4;

/** Throws `FetchError` when a body has too many samples: they are counted before any of them is read. */
export function checkSampleCount(body: Uint8Array, { samples: max }: BodyLimits): void {
  if ((body.length + 1) / MIN_SAMPLE_BYTES <= max) return;
  const count = countSampleLines(body);
  if (count > max)
    throw new FetchError('too_many_samples', formatLimitExceeded(`sent ${count} samples`, 'samples', max));
}

/** Lines that are neither empty nor comments. */
function countSampleLines(body: Uint8Array): number {
  let count = 0;
  for (let start = 0; start < body.length; ) {
    const newline = body.indexOf(NEWLINE, start);
    const end = newline < 0 ? body.length : newline;
    if (end > start && body[start] !== HASH) count++;
    start = end + 1;
  }
  return count;
}

/** Throws `FetchError` when a sample has too many labels, or one that is too long. */
export function checkLabels({ families }: Exposition, limits: BodyLimits): void {
  for (const { samples } of families)
    for (const { name, labels } of samples) {
      if (labels.length > limits.labels) {
        const problem = `sent a sample of ${quoteClipped(name)} with ${labels.length} labels`;
        throw new FetchError('too_many_labels', formatLimitExceeded(problem, 'labels', limits.labels));
      }
      for (const [label, value] of labels) checkLabel(name, label, value, limits);
    }
}

function checkLabel(sample: string, label: string, value: string, limits: BodyLimits): void {
  const { labelNameBytes, labelValueBytes } = limits;
  if (exceedsBytes(label, labelNameBytes)) {
    const problem = `sent a label name of ${Buffer.byteLength(label)} bytes in a sample of ${quoteClipped(sample)}`;
    throw new FetchError('label_too_long', formatLimitExceeded(problem, 'labelNameBytes', labelNameBytes));
  }
  if (exceedsBytes(value, labelValueBytes)) {
    const bytes = Buffer.byteLength(value);
    const problem = `sent a value of ${bytes} bytes for label ${quoteClipped(label)} in a sample of ${quoteClipped(sample)}`;
    throw new FetchError('label_too_long', formatLimitExceeded(problem, 'labelValueBytes', labelValueBytes));
  }
}

/** A character of a string has one to three bytes in UTF-8. */
function exceedsBytes(text: string, bytes: number): boolean {
  if (text.length * 3 <= bytes) return false;
  return text.length > bytes || Buffer.byteLength(text) > bytes;
}

const MAX_NAME_CHARACTERS = 60;

function quoteClipped(name: string): string {
  return JSON.stringify(name.length <= MAX_NAME_CHARACTERS ? name : `${name.slice(0, MAX_NAME_CHARACTERS)}…`);
}
