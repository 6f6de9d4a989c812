import { EndpointStore, type Layout } from '@org/core';
import { CpuClock } from '../measure/cpuClock.ts';
import { measureMemory } from '../measure/memory.ts';
import { readFrameBatches, readFrameLayout, type StoredFrame } from './frameFile.ts';

const ORIGIN_NS = 1_800_000_000_000_000_000n;
/** Offset in nanoseconds between the scrapes of consecutive endpoints, so that their timestamps differ. */
const SHIFT_NS = 29_000_000;

/** Receives the frames of all endpoints. */
export interface Sink {
  append(endpoint: number, frame: StoredFrame): void;
}

/** The resources used to store frames. */
export interface FillCost {
  readonly samples: number;
  readonly appendCpuS: number;
  readonly appendWallS: number;
  /** Growth of JavaScript objects and buffers in bytes, after garbage collection. */
  readonly heldBytes: number;
  readonly rssMb: number;
  /** Memory of the process before the first frame, in MB. */
  readonly baseRssMb: number;
  readonly peakRssMb: number;
}

/**
 * Appends the frames of a folder to a number of endpoints, in the order of a run: the first frame of all
 * endpoints, then the second, and so on. All endpoints receive the same frames. This does not reduce the memory
 * of the stores, because endpoints share no data. Only appending is measured, not loading the frames.
 */
export function fillSink(folder: string, endpoints: number, sink: Sink): FillCost {
  const before = measureMemory();
  const clock = new CpuClock();
  let values = 0;
  for (const batch of readFrameBatches(folder)) {
    clock.measure(() => {
      for (const frame of batch)
        for (let endpoint = 0; endpoint < endpoints; endpoint++) sink.append(endpoint, frame);
    });
    for (const frame of batch) values += frame.values.length;
  }
  const after = measureMemory();
  return {
    samples: values * endpoints,
    appendCpuS: clock.cpuS,
    appendWallS: clock.wallS,
    heldBytes: after.heldBytes - before.heldBytes,
    rssMb: after.rssMb,
    baseRssMb: before.rssMb,
    peakRssMb: after.peakRssMb,
  };
}

/** Stores the frames of each endpoint in an `EndpointStore` with a separate layout. */
export class StoreSink implements Sink {
  readonly stores: readonly EndpointStore[];

  constructor(folder: string, endpoints: number) {
    const layouts: Layout[] = Array.from({ length: endpoints }, () => readFrameLayout(folder));
    this.stores = layouts.map(layout => new EndpointStore(layout));
  }

  append(endpoint: number, { offsetNs, values }: StoredFrame): void {
    const timestampNs = ORIGIN_NS + BigInt(offsetNs + endpoint * SHIFT_NS);
    this.stores[endpoint]!.append({ timestampNs, latencyNs: 1_500_000, changed: true, values });
  }
}

/**
 * Baseline for comparison: stores frames in a Float64Array per slot and endpoint, which grows by half if it is
 * full.
 */
export class ArraySink implements Sink {
  readonly #columns: Float64Array[][];
  readonly #lengths: Float64Array;

  constructor(folder: string, endpoints: number) {
    const slots = readFrameLayout(folder).slotCount;
    this.#columns = Array.from({ length: endpoints }, () =>
      Array.from({ length: slots }, () => new Float64Array(64)),
    );
    this.#lengths = new Float64Array(endpoints);
  }

  append(endpoint: number, { values }: StoredFrame): void {
    const columns = this.#columns[endpoint]!;
    const row = this.#lengths[endpoint]!++;
    for (let slot = 0; slot < columns.length; slot++) {
      let column = columns[slot]!;
      if (row === column.length) {
        column = new Float64Array(Math.ceil(row * 1.5));
        column.set(columns[slot]!);
        columns[slot] = column;
      }
      column[row] = values[slot] ?? Number.NaN;
    }
  }
}
