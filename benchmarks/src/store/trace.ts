import { Layout } from '@org/core';
import { ExpositionReader } from '@org/scrape/exposition';
import { simulateTrace } from '@org/simulator';
import { FrameWriter } from './frames.ts';
import { CpuClock } from './usage.ts';

/** Between scrapes, as a run has it. */
export const INTERVAL_MS = 333;

/** Bodies that are read in one go, so that making them is not measured. */
const BATCH = 64;

/** A trace of a simulated server, and what reading its bodies took. */
export interface TraceFacts {
  readonly frames: number;
  readonly slots: number;
  readonly series: number;
  readonly bodyBytes: number;
  /** Share of the values that differ from the frame before: what compression has to live with. */
  readonly changedShare: number;
  readonly parseCpuS: number;
  readonly parseWallS: number;
}

/** The bodies of a simulated vLLM at 0.6 of what it can sustain, three times a second. */
export function* busyBodies(engines: number, seconds: number): Generator<{ offsetNs: number; body: Buffer }> {
  const options = { kind: 'vllm', engines, seed: 7, load: 'steady', intervalMs: INTERVAL_MS } as const;
  let originNs: bigint | undefined;
  for (const { timestampNs, body } of simulateTrace({ ...options, durationS: seconds })) {
    originNs ??= timestampNs;
    yield { offsetNs: Number(timestampNs - originNs), body: Buffer.from(body) };
  }
}

/** Reads the bodies of a trace as a scraper would, and writes the frames to a folder. */
export function writeTrace(folder: string, engines: number, seconds: number): TraceFacts {
  const layout = new Layout();
  const reader = new ExpositionReader(layout);
  const writer = new FrameWriter(folder);
  const clock = new CpuClock();
  const changes = new ChangeCount();
  let frames = 0;
  let bodyBytes = 0;
  for (const batch of batches(busyBodies(engines, seconds))) {
    // A reading is valid until the next: the copies are counted with the reading.
    const rows = clock.measure(() => batch.map(({ body }) => reader.read(body, 'classic').values.slice()));
    rows.forEach((values, at) => {
      writer.write(batch[at]!.offsetNs, values);
      changes.add(values);
    });
    frames += batch.length;
    for (const { body } of batch) bodyBytes += body.length;
  }
  writer.close(layout);
  return {
    frames,
    slots: layout.slotCount,
    series: layout.series.length,
    bodyBytes: Math.round(bodyBytes / frames),
    changedShare: changes.share,
    parseCpuS: clock.cpuS,
    parseWallS: clock.wallS,
  };
}

class ChangeCount {
  #before: Float64Array | undefined;
  #changed = 0;
  #compared = 0;

  get share(): number {
    return this.#compared === 0 ? 0 : this.#changed / this.#compared;
  }

  add(values: Float64Array): void {
    const before = this.#before;
    this.#before = values;
    if (!before) return;
    for (let slot = 0; slot < values.length; slot++) {
      if (!Object.is(values[slot], before[slot])) this.#changed++;
    }
    this.#compared += values.length;
  }
}

function* batches<T>(items: Iterable<T>): Generator<readonly T[]> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
