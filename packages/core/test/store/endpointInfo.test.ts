import { describe, expect, it } from 'vitest';
import { Layout } from '../../src/layout/layout.ts';
import { computeEndpointInfo, computeUpdateIntervalNs } from '../../src/store/endpointInfo.ts';
import { EndpointStore } from '../../src/store/endpointStore.ts';
import { ORIGIN_NS } from '../support/stores.ts';

/** Creates a store from frames: time in ns after the origin, latency in ns, and whether the response changed. */
function createStore(
  frames: readonly (readonly [at: number, latencyNs: number, changed: boolean])[],
): EndpointStore {
  const store = new EndpointStore(new Layout());
  for (const [at, latencyNs, changed] of frames) {
    store.append({ timestampNs: ORIGIN_NS + BigInt(at), latencyNs, changed, values: new Float64Array(0) });
  }
  return store;
}

describe('computeEndpointInfo', () => {
  it('is null before the first frame', () => {
    expect(computeEndpointInfo(createStore([]))).toBeNull();
  });

  it('counts fetches and updates, with exact times', () => {
    const store = createStore([
      [0, 2e6, true],
      [333_000_001, 4e6, true],
      [666_000_002, 2e6, false],
      [1_000_000_003, 4e6, true],
      [1_400_000_007, 8e6, true],
      [1_700_000_000, 4e6, false],
    ]);
    expect(computeEndpointInfo(store)).toEqual({
      total_fetches: 6,
      first_fetch_ns: ORIGIN_NS,
      last_fetch_ns: ORIGIN_NS + 1_700_000_000n,
      avg_fetch_latency_ms: 4,
      unique_updates: 4,
      first_update_ns: ORIGIN_NS,
      last_update_ns: ORIGIN_NS + 1_400_000_007n,
      duration_seconds: 1.400000007,
      avg_update_interval_ms: 1400.000007 / 3,
      median_update_interval_ms: 400.000004,
    });
  });

  it.each([
    [1, 0],
    [2, 500],
  ])('has no median interval after %d updates', (updates, average) => {
    const store = createStore([
      [0, 1, true],
      [5e8, 1, updates > 1],
    ]);
    const info = computeEndpointInfo(store)!;
    expect(info).toMatchObject({ unique_updates: updates, avg_update_interval_ms: average });
    expect(info).not.toHaveProperty('median_update_interval_ms');
  });

  it('averages the two middle intervals if their number is even', () => {
    const store = createStore([
      [0, 1, true],
      [1e6, 1, true],
      [4e6, 1, true],
    ]);
    expect(computeEndpointInfo(store)!.median_update_interval_ms).toBe(2);
  });

  it('counts the first frame as an update and sorts frames by time', () => {
    const store = createStore([
      [5e6, 1, true],
      [0, 1, false],
    ]);
    expect(computeEndpointInfo(store)).toMatchObject({
      unique_updates: 2,
      first_update_ns: ORIGIN_NS,
      last_fetch_ns: ORIGIN_NS + 5_000_000n,
    });
  });
});

describe('computeUpdateIntervalNs', () => {
  it('is updated by new frames', () => {
    const store = createStore([
      [0, 1, true],
      [10, 1, true],
    ]);
    expect(computeUpdateIntervalNs(store)).toBeNull();
    store.append({ timestampNs: ORIGIN_NS + 30n, latencyNs: 1, changed: true, values: new Float64Array(0) });
    expect(computeUpdateIntervalNs(store)).toBe(15);
  });
});
