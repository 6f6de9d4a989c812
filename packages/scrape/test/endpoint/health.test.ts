import { describe, expect, test } from 'vitest';
import { EndpointHealth } from '../../src/endpoint/health.ts';
import type { Reading } from '../../src/exposition/bodyState.ts';
import type { FetchResult } from '../../src/http/exchange.ts';

const READING = { dropped: 0, badLineCount: 0, omitted: { unsupported: [] } } as unknown as Reading;
const toNs = (seconds: number): bigint => BigInt(seconds * 1000) * 1_000_000n;

function makeFetchResult(seconds: number, address?: string): FetchResult {
  const sentNs = toNs(seconds);
  return {
    url: 'u',
    sentNs,
    firstByteNs: sentNs + 1n,
    durationMs: 1,
    encodedBytes: 1,
    ...(address ? { address } : {}),
  };
}

/** Creates the health of an endpoint with `outageCount` outages. Outages and pauses last `outageSeconds` each. */
function createFlappingHealth(outageCount: number, outageSeconds = 1): EndpointHealth {
  const health = new EndpointHealth();
  health.recordSuccess(makeFetchResult(0), READING);
  for (let i = 0; i < outageCount; i++) {
    health.recordFailure(makeFetchResult((2 * i + 1) * outageSeconds), {
      reason: 'refused',
      message: 'refused the connection',
    });
    health.recordSuccess(makeFetchResult((2 * i + 2) * outageSeconds), READING);
  }
  return health;
}

// An endpoint is flapping if it recovered five times within the last minute.
describe('flapping', () => {
  test.each([
    [4, 1, 'intermittent'],
    [5, 1, 'flapping'],
    [5, 10, 'intermittent'],
  ])(
    'of an endpoint with %d outages of %d s each: the status is %s',
    (outageCount, outageSeconds, status) => {
      const health = createFlappingHealth(outageCount, outageSeconds);
      expect(health.displayStatus).toBe(status);
      expect(health.status).toBe('active');
      expect(health.outages).toHaveLength(outageCount);
    },
  );

  test('ends after a minute without failures', () => {
    const health = createFlappingHealth(5);
    health.recordSuccess(makeFetchResult(75), READING);
    expect(health.displayStatus).toBe('intermittent');
  });

  test('is not shown for an excluded endpoint', () => {
    const health = createFlappingHealth(5);
    health.exclude('disabled');
    expect(health.displayStatus).toBe('disabled');
  });
});

test('records the times of the first and last failure', () => {
  const health = createFlappingHealth(3);
  expect(health).toMatchObject({ firstFailureNs: toNs(1), lastFailureNs: toNs(5), failedScrapes: 3 });
});

test('records address changes with their times, ignoring scrapes without an address', () => {
  const health = new EndpointHealth();
  for (const [seconds, address] of [
    [0, 'a'],
    [1, 'a'],
    [2, 'b'],
    [3, undefined],
    [4, 'b'],
    [5, 'a'],
  ] as const)
    health.recordSuccess(makeFetchResult(seconds, address), READING);
  expect(health.addressChanges).toEqual([
    { atNs: toNs(2) + 1n, from: 'a', to: 'b' },
    { atNs: toNs(5) + 1n, from: 'b', to: 'a' },
  ]);
});

test('limits the lists and counts further entries', () => {
  const health = createFlappingHealth(130);
  expect(health.outages).toHaveLength(100);
  expect(health.furtherOutages).toBe(30);
  for (let i = 0; i < 130; i++) health.recordReset(makeFetchResult(i), { counters: 1, hasRestarted: false });
  expect(health.resets).toHaveLength(100);
  expect(health.furtherResets).toBe(30);
});

/** Creates the health of an endpoint with these outcomes of its scrapes: `.` succeeded, `x` failed. */
function createHealth(outcomes: string): EndpointHealth {
  const health = new EndpointHealth();
  [...outcomes].forEach((outcome, second) => {
    if (outcome === '.') health.recordSuccess(makeFetchResult(second), READING);
    else
      health.recordFailure(makeFetchResult(second), { reason: 'refused', message: 'refused the connection' });
  });
  return health;
}

test.each([
  ['of which 22% of the scrapes failed', '......xx......xx......xx......', 'intermittent'],
  ['with a single failure', '.....x..', 'active'],
  ['with failures in less than 5% of its scrapes', `..xx${'.'.repeat(40)}`, 'active'],
  ['with failures in 5% of its scrapes', `..xx${'.'.repeat(36)}`, 'intermittent'],
  ['that joined late', 'xxxxxxx.....', 'active'],
  ['that joined late and failed since', 'xxx...xx..', 'intermittent'],
  ['whose last scrape failed', '....xx..xx', 'failing'],
])('shows the status of an endpoint %s', (_, outcomes, status) => {
  expect(createHealth(outcomes).displayStatus).toBe(status);
});
