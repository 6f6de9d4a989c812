import { EndpointStore, type Layout } from '@org/core';
import { frameBatches, frameLayout, type StoredFrame } from './frames.ts';
import { CpuClock, memory } from './usage.ts';

const ORIGIN_NS = 1_800_000_000_000_000_000n;
/** The endpoints' scrapes do not fall together. */
const SHIFT_NS = 29_000_000;

/** Whatever keeps the frames of one endpoint. */
export interface Sink {
  append(endpoint: number, frame: StoredFrame): void;
}

/** What keeping frames cost. */
export interface FillCost {
  readonly samples: number;
  readonly appendCpuS: number;
  readonly appendWallS: number;
  /** Growth of what the process holds, objects and buffers, after a garbage collection. */
  readonly heldBytes: number;
  readonly rssMb: number;
  /** Of the process before the first frame. */
  readonly baseRssMb: number;
  readonly peakRssMb: number;
}

/**
 * Feeds the frames of a folder to as many endpoints as asked for, in the order in which a run would: all endpoints'
 * first frame, all endpoints' second frame, and so on. All endpoints get the same frames, each with its times shifted;
 * that is no advantage where each endpoint keeps its own. Only appending is measured, not bringing the frames to memory.
 */
export function fill(folder: string, endpoints: number, sink: Sink): FillCost {
  const before = memory();
  const clock = new CpuClock();
  let values = 0;
  for (const batch of frameBatches(folder)) {
    clock.measure(() => {
      for (const frame of batch) for (let at = 0; at < endpoints; at++) sink.append(at, frame);
    });
    for (const frame of batch) values += frame.values.length;
  }
  const after = memory();
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

/** The stores of some endpoints, each with a layout of its own. */
export class Stores implements Sink {
  readonly stores: readonly EndpointStore[];

  constructor(folder: string, endpoints: number) {
    const layouts: Layout[] = Array.from({ length: endpoints }, () => frameLayout(folder));
    this.stores = layouts.map(layout => new EndpointStore(layout));
  }

  append(endpoint: number, { offsetNs, values }: StoredFrame): void {
    const timestampNs = ORIGIN_NS + BigInt(offsetNs + endpoint * SHIFT_NS);
    this.stores[endpoint]!.append({ timestampNs, latencyNs: 1_500_000, changed: true, values });
  }
}

/** What the store is compared with: a Float64Array for each series that grows by half when it is full. */
export class Arrays implements Sink {
  readonly #columns: Float64Array[][];
  readonly #lengths: Float64Array;

  constructor(folder: string, endpoints: number) {
    const slots = frameLayout(folder).slotCount;
    this.#columns = Array.from({ length: endpoints }, () =>
      Array.from({ length: slots }, () => new Float64Array(64)),
    );
    this.#lengths = new Float64Array(endpoints);
  }

  append(endpoint: number, { values }: StoredFrame): void {
    const columns = this.#columns[endpoint]!;
    const at = this.#lengths[endpoint]!++;
    for (let slot = 0; slot < columns.length; slot++) {
      let column = columns[slot]!;
      if (at === column.length) {
        column = new Float64Array(Math.ceil(at * 1.5));
        column.set(columns[slot]!);
        columns[slot] = column;
      }
      column[at] = values[slot] ?? Number.NaN;
    }
  }
}
