import { describe, expect, it } from 'vitest';
import { type HistogramSeries, Layout } from '../../src/layout/layout.ts';
import { EndpointStore } from '../../src/store/endpointStore.ts';
import { type BlockStorage, StoreMemory } from '../../src/store/storeMemory.ts';

/** A storage in memory that rejects blocks while `isFull` is set. */
class MemoryStorage implements BlockStorage {
  readonly blocks: Uint8Array[] = [];
  length = 0;
  reads = 0;
  isFull = false;

  write(bytes: Uint8Array): number | null {
    if (this.isFull) return null;
    const position = this.length;
    this.blocks.push(bytes.slice());
    this.length += bytes.length;
    return position;
  }

  read(position: number, length: number): Uint8Array {
    this.reads++;
    let start = 0;
    for (const bytes of this.blocks) {
      if (position < start + bytes.length) return bytes.slice(position - start, position - start + length);
      start += bytes.length;
    }
    throw new Error('no block at this position');
  }
}

const GAUGES = 70;
const FRAMES = 4000;
const LIMIT = 120_000;

/**
 * Creates two stores: gauges that change only at times, a series that appears late, a series that disappears, a
 * histogram.
 */
function createStores(memory?: StoreMemory): { stores: EndpointStore[]; histogram: HistogramSeries } {
  const layout = new Layout();
  const family = { name: 'g', type: 'gauge', help: '' } as const;
  const histogram = layout.histogram({ name: 'h', type: 'histogram', help: '' }, []);
  for (const le of [0.5, 1, Infinity]) layout.bucket(histogram, le, String(le));
  for (let gauge = 0; gauge < GAUGES; gauge++) layout.scalar(family, [['n', String(gauge)]]);
  const created = [new EndpointStore(layout, memory), new EndpointStore(layout, memory)];
  let seed = 7;
  for (let frame = 0; frame < FRAMES; frame++) {
    if (frame === FRAMES / 2) layout.scalar(family, [['n', 'late']]);
    created.forEach((store, index) => {
      const values = new Float64Array(layout.slotCount);
      values.set([frame * 0.37, frame * 3, frame, frame * 2, frame * 3]);
      for (let slot = 5; slot < values.length; slot++) {
        seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
        const isConstant = Math.floor(frame / 500 + slot) % 3 === 0;
        values[slot] = isConstant ? Math.floor(frame / 500) : seed / 7;
      }
      if (frame > FRAMES - 900) values[7] = Number.NaN;
      const timestampNs = 1_000_000_000_000n + BigInt(frame) * 333_000_000n + BigInt(index);
      store.append({ timestampNs, latencyNs: frame, changed: frame % 9 !== 0, values });
    });
  }
  return { stores: created, histogram };
}

const reference = createStores();

function expectReferenceValues(stores: readonly EndpointStore[]): void {
  stores.forEach((store, index) => {
    const expected = reference.stores[index]!;
    expect(store.timeline()).toEqual(expected.timeline());
    for (let slot = 0; slot < store.layout.slotCount; slot++) {
      const values = store.column(slot);
      const same = Buffer.compare(toBytes(values), toBytes(expected.column(slot))) === 0;
      expect(same, `slot ${slot} of store ${index}`).toBe(true);
    }
  });
}

const toBytes = (values: Float64Array): Uint8Array =>
  new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

describe('stores with a shared memory limit', () => {
  it('stay within the limit and return the same values', () => {
    const storage = new MemoryStorage();
    const memory = new StoreMemory(LIMIT, storage);
    const { stores: limitedStores, histogram } = createStores(memory);
    expect(memory.hasSpilled).toBe(true);
    expect(storage.length).toBeGreaterThan(LIMIT);
    // The newest rows of each store are in memory in addition to the limit.
    expect(memory.used).toBeLessThan(LIMIT + 2 * 200_000);
    expectReferenceValues(limitedStores);
    expect(memory.used).toBeLessThan(LIMIT + 2 * 200_000);
    const samples = limitedStores[1]!.histogramSamples(histogram, 1000, 3000);
    expect(samples).toEqual(reference.stores[1]!.histogramSamples(reference.histogram, 1000, 3000));
  });

  it('read adjacent columns from storage once', () => {
    const storage = new MemoryStorage();
    const { stores: limitedStores } = createStores(new StoreMemory(8 * LIMIT, storage));
    storage.reads = 0;
    for (let slot = 5; slot < 30; slot++) limitedStores[0]!.column(slot, 0, 200);
    expect(storage.reads).toBe(1);
  });

  it('keep chunks in memory while the storage is full, and move them later', () => {
    const storage = new MemoryStorage();
    storage.isFull = true;
    const memory = new StoreMemory(LIMIT, storage);
    const { stores: limitedStores } = createStores(memory);
    expect(memory.hasSpilled).toBe(false);
    expect(memory.used).toBeGreaterThan(LIMIT);
    expectReferenceValues(limitedStores);
    storage.isFull = false;
    memory.recordChunk({ byteLength: 0, spill: () => false });
    expect(memory.used).toBeLessThan(LIMIT + 2 * 200_000);
    expectReferenceValues(limitedStores);
  });

  it('throw if stored chunks cannot be read', () => {
    const storage = new MemoryStorage();
    const { stores: limitedStores } = createStores(new StoreMemory(LIMIT, storage));
    storage.blocks.length = 0;
    expect(() => limitedStores[0]!.column(6)).toThrow('no block at this position');
  });

  it.each([0, -1, Number.NaN])('cannot have a limit of %s', limit => {
    expect(() => new StoreMemory(limit, new MemoryStorage())).toThrow(RangeError);
  });
});
