import type { Exposition } from '../exposition/exposition.ts';
import { FetchError } from './failure.ts';

/** The limits on the contents of one body. */
export interface BodyLimits {
  /** Maximum number of samples. */
  readonly samples: number;
  /** Maximum number of labels of one sample, including `le` and `quantile`. */
  readonly labels: number;
  /** Maximum length of a label name, in UTF-8 bytes. */
  readonly labelNameBytes: number;
  /** Maximum length of a label value, in UTF-8 bytes. */
  readonly labelValueBytes: number;
}

/** The limits on the size and contents of one scrape. */
export interface ScrapeLimits extends BodyLimits {
  /** Maximum size of the body as transferred, in bytes. */
  readonly encodedBytes: number;
  /** Maximum size of the decompressed body, in bytes. */
  readonly decodedBytes: number;
}

/**
 * The default limits. They are far above real bodies: a large metrics page of vLLM has 0.2 MB, 2,000 samples
 * and a dozen labels per sample.
 */
export const DEFAULT_LIMITS: ScrapeLimits = {
  encodedBytes: 64 * 1024 ** 2,
  decodedBytes: 256 * 1024 ** 2,
  samples: 1_000_000,
  labels: 256,
  labelNameBytes: 1024,
  labelValueBytes: 65_536,
};

/**
 * The names of the limits in options and configuration files: `--limit samples=5000`, `limits: {samples:
 * 5000}`.
 */
export const LIMIT_NAMES: Readonly<Record<keyof ScrapeLimits, string>> = {
  encodedBytes: 'encoded_bytes',
  decodedBytes: 'decoded_bytes',
  samples: 'samples',
  labels: 'labels',
  labelNameBytes: 'label_name_bytes',
  labelValueBytes: 'label_value_bytes',
};

/**
 * Formats the message for a body that exceeds a limit: the problem, the limit, and the option to raise it.
 */
export function formatLimitExceeded(problem: string, limit: keyof ScrapeLimits, max: number): string {
  const name = LIMIT_NAMES[limit];
  return `${problem}; the limit is ${max}; use --limit ${name}=N to raise it`;
}

const NEWLINE = 10;
const HASH = 35;
/** Size of the shortest possible sample, in bytes: `a 1` and a newline. */
const MIN_SAMPLE_BYTES = 4;

/** Throws `FetchError` if a body has too many sample lines. Does not parse the lines. */
export function checkSampleCount(body: Uint8Array, { samples: max }: BodyLimits): void {
  if ((body.length + 1) / MIN_SAMPLE_BYTES <= max) return;
  const count = countSampleLines(body);
  if (count > max)
    throw new FetchError('too_many_samples', formatLimitExceeded(`sent ${count} samples`, 'samples', max));
}

/** Returns the number of lines that are neither empty nor comments. */
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

/** Throws `FetchError` if a sample has too many labels or a label name or value is too long. */
export function checkLabels({ families }: Exposition, limits: BodyLimits): void {
  for (const { samples } of families)
    for (const { name, labels } of samples) {
      if (labels.length > limits.labels) {
        const problem = `sent a sample of ${quoteTruncated(name)} with ${labels.length} labels`;
        throw new FetchError('too_many_labels', formatLimitExceeded(problem, 'labels', limits.labels));
      }
      for (const [label, value] of labels) checkLabel(name, label, value, limits);
    }
}

function checkLabel(sample: string, label: string, value: string, limits: BodyLimits): void {
  const { labelNameBytes, labelValueBytes } = limits;
  if (exceedsBytes(label, labelNameBytes)) {
    const problem = `sent a label name of ${Buffer.byteLength(label)} bytes in a sample of ${quoteTruncated(sample)}`;
    throw new FetchError('label_too_long', formatLimitExceeded(problem, 'labelNameBytes', labelNameBytes));
  }
  if (exceedsBytes(value, labelValueBytes)) {
    const bytes = Buffer.byteLength(value);
    const problem = `sent a value of ${bytes} bytes for label ${quoteTruncated(label)} in a sample of ${quoteTruncated(sample)}`;
    throw new FetchError('label_too_long', formatLimitExceeded(problem, 'labelValueBytes', labelValueBytes));
  }
}

/**
 * Reports whether `text` has more than `maxBytes` bytes in UTF-8. A UTF-16 code unit takes one to three
 * bytes, so the length of most texts decides without encoding them.
 */
function exceedsBytes(text: string, maxBytes: number): boolean {
  if (text.length * 3 <= maxBytes) return false;
  return text.length > maxBytes || Buffer.byteLength(text) > maxBytes;
}

const MAX_NAME_CHARACTERS = 60;

function quoteTruncated(name: string): string {
  return JSON.stringify(name.length <= MAX_NAME_CHARACTERS ? name : `${name.slice(0, MAX_NAME_CHARACTERS)}…`);
}
