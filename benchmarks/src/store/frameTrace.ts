import { Layout } from '@org/core';
import { ExpositionReader } from '@org/scrape/exposition';
import { generateVllmBodies } from '../bodies/vllmBodies.ts';
import { CpuClock } from '../measure/cpuClock.ts';
import { FrameWriter } from './frameFile.ts';

/** Number of bodies per batch. Bodies are created in batches, so that only the time to parse them is measured. */
const BATCH = 64;

/** Properties of a simulated server's trace, and the cost of parsing its bodies. */
export interface TraceFacts {
  readonly frames: number;
  /** Number of values per frame. */
  readonly slots: number;
  readonly series: number;
  /** Mean size of a body, in bytes. */
  readonly bodyBytes: number;
  /** Share of values that differ from the previous frame, which limits compression. */
  readonly changedShare: number;
  readonly parseCpuS: number;
  readonly parseWallS: number;
}

/** Parses the bodies of a simulated server as a scraper does, and writes the frames to a folder. */
export function writeTrace(folder: string, engines: number, seconds: number): TraceFacts {
  const layout = new Layout();
  const reader = new ExpositionReader(layout);
  const writer = new FrameWriter(folder);
  const clock = new CpuClock();
  const changes = new ChangeCount();
  let frames = 0;
  let bodyBytes = 0;
  for (const batch of splitIntoBatches(generateVllmBodies(engines, seconds))) {
    // The values are valid only until the next read, so they are copied, which is part of the measurement.
    const rows = clock.measure(() => batch.map(({ body }) => reader.read(body, 'classic').values.slice()));
    rows.forEach((values, index) => {
      writer.write(batch[index]!.offsetNs, values);
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

/** Counts the values that differ from the previous frame. */
class ChangeCount {
  #previous: Float64Array | undefined;
  #changed = 0;
  #compared = 0;

  get share(): number {
    return this.#compared === 0 ? 0 : this.#changed / this.#compared;
  }

  add(values: Float64Array): void {
    const previous = this.#previous;
    this.#previous = values;
    if (!previous) return;
    for (let slot = 0; slot < values.length; slot++) {
      if (!Object.is(values[slot], previous[slot])) this.#changed++;
    }
    this.#compared += values.length;
  }
}

function* splitIntoBatches<T>(items: Iterable<T>): Generator<readonly T[]> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
