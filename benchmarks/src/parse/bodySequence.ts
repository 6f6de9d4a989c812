import { Random } from '@org/core';
import { type ExpositionFormat, parseClassic, parseOpenMetrics } from '@org/scrape/exposition';
import { simulateTrace } from '@org/simulator';

/** The successive bodies of one endpoint. */
export interface BodySequence {
  readonly name: string;
  readonly format: ExpositionFormat;
  readonly bodies: readonly Buffer[];
}

/**
 * Creates the bodies of a simulated vLLM server with three engines under steady load, scraped three times per
 * second.
 */
export function createVllmBodies(count: number): BodySequence {
  const bodies: Buffer[] = [];
  const trace = simulateTrace({
    kind: 'vllm',
    engines: 3,
    seed: 7,
    durationS: 60 + count / 3,
    load: 'steady',
  });
  for (const { body } of trace) bodies.push(Buffer.from(body));
  return { name: 'vllm-3-engines', format: 'classic', bodies: bodies.slice(-count) };
}

/**
 * Share of values that change between scrapes, as in the bodies of a busy server (see `createVllmBodies`).
 */
const CHANGED_SHARE = 0.7;
/** Maximum increase of a value between scrapes. */
const MAX_STEP = 50;

/**
 * Creates variations of a body that the same server could have sent later: most values increase and keep their number
 * format.
 */
export function createVariedBodies(
  name: string,
  body: Buffer,
  format: ExpositionFormat,
  count: number,
): BodySequence {
  const random = new Random(11).fork(name);
  const parse = format === 'openmetrics' ? parseOpenMetrics : parseClassic;
  const changedSamples = parse(body)
    .families.flatMap(family => family.samples)
    .filter(sample => sample.valueStart !== -1 && Number.isFinite(sample.value))
    .filter(({ name }) => format === 'classic' || !/_(bucket|count)$|_state$/.test(name)) // The OpenMetrics parser validates these values.
    .filter(() => random.chance(CHANGED_SHARE))
    .sort((a, b) => a.valueStart - b.valueStart);
  const bodies = Array.from({ length: count }, (_, index) => {
    const parts: Buffer[] = [];
    let offset = 0;
    for (const { value, valueStart, lineEnd } of changedSamples) {
      const text = body.toString('latin1', valueStart, lineEnd).split(' ', 1)[0]!;
      const next = value + (index * MAX_STEP * (1 + random.next())) / 2;
      parts.push(body.subarray(offset, valueStart), Buffer.from(formatLike(text, next)));
      offset = valueStart + text.length;
    }
    return Buffer.concat([...parts, body.subarray(offset)]);
  });
  return { name, format, bodies };
}

function formatLike(original: string, value: number): string {
  if (/^\d+$/.test(original)) return String(Math.round(value));
  return original.endsWith('.0') ? `${Math.round(value)}.0` : String(value);
}
