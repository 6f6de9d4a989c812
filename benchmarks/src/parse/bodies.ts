import { Random } from '@org/core';
import { type ExpositionFormat, parseClassic, parseOpenMetrics } from '@org/scrape/exposition';
import { simulateTrace } from '@org/simulator';

/** Successive bodies of one endpoint. */
export interface Bodies {
  readonly name: string;
  readonly format: ExpositionFormat;
  readonly bodies: readonly Buffer[];
}

/** Bodies of a simulated vLLM with three engines under steady load, scraped three times a second. */
export function busyVllm(count: number): Bodies {
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

/** How many of a busy server's values change from one scrape to the next (as in `busyVllm`), and by how much at most. */
const CHANGING = 0.7;
const LARGEST_STEP = 50;

/**
 * A body, and what the same server could have said after it: most values have grown, as numbers are written there
 * (whole, or with decimals).
 */
export function varied(name: string, body: Buffer, format: ExpositionFormat, count: number): Bodies {
  const random = new Random(11).fork(name);
  const parse = format === 'openmetrics' ? parseOpenMetrics : parseClassic;
  const changing = parse(body)
    .families.flatMap(family => family.samples)
    .filter(sample => sample.valueStart !== -1 && Number.isFinite(sample.value))
    .filter(({ name }) => format === 'classic' || !/_(bucket|count)$|_state$/.test(name)) // OpenMetrics is strict there
    .filter(() => random.chance(CHANGING))
    .sort((a, b) => a.valueStart - b.valueStart);
  const bodies = Array.from({ length: count }, (_, index) => {
    const parts: Buffer[] = [];
    let at = 0;
    for (const { value, valueStart, lineEnd } of changing) {
      const written = body.toString('latin1', valueStart, lineEnd).split(' ', 1)[0]!;
      const next = value + (index * LARGEST_STEP * (1 + random.next())) / 2;
      parts.push(body.subarray(at, valueStart), Buffer.from(writtenLike(written, next)));
      at = valueStart + written.length;
    }
    return Buffer.concat([...parts, body.subarray(at)]);
  });
  return { name, format, bodies };
}

function writtenLike(written: string, value: number): string {
  if (/^\d+$/.test(written)) return String(Math.round(value));
  return written.endsWith('.0') ? `${Math.round(value)}.0` : String(value);
}
