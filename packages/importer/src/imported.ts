import type { EndpointRecord, ImportRecord, TimeRange } from '@org/record';

/** The result of an import: everything that a run record needs. */
export interface Imported {
  readonly endpoints: readonly EndpointRecord[];
  /** The requested time range; for files, the time range of their samples. */
  readonly range: TimeRange;
  /** The times of the first and the last scrape with samples. */
  readonly sampled: TimeRange;
  /** The source and what it cannot provide, for the exports. */
  readonly info: ImportRecord;
}

/** An origin of types, in the order of the export. */
export interface TypeCounts {
  metadata: number;
  known_server: number;
  name: number;
  none: number;
}

/** Returns the times of the first and the last frame of all endpoints; undefined without frames. */
export function findSampledRange(endpoints: readonly EndpointRecord[]): TimeRange | undefined {
  let startNs: bigint | undefined;
  let endNs: bigint | undefined;
  for (const { store } of endpoints) {
    const { originNs, offsetsNs } = store.timeline();
    if (offsetsNs.length === 0) continue;
    const [first, last] = [originNs + BigInt(offsetsNs[0]!), originNs + BigInt(offsetsNs.at(-1)!)];
    if (startNs === undefined || first < startNs) startNs = first;
    if (endNs === undefined || last > endNs) endNs = last;
  }
  return startNs === undefined || endNs === undefined ? undefined : { startNs, endNs };
}
