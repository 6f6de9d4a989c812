import type { EndpointInfo } from '@org/formats';
import { expect, test } from 'vitest';
import { assessAvailability, hasNoResponse } from '../src/availability.ts';

const START_NS = 1_795_254_800_000_000_000n;
const PERIOD = { profilingStartNs: START_NS, profilingEndNs: START_NS + 20_000_000_000n };

const at = (seconds: number): bigint => START_NS + BigInt(Math.round(seconds * 1e9));

const HEALTHY = { total_fetches: 60, first_fetch_ns: at(0), last_fetch_ns: at(20), scrapes_failed: 0 };
const REFUSED = { reason: 'refused', message: 'refused the connection' };

function assess(fields: object): ReturnType<typeof assessAvailability> {
  return assessAvailability({ ...HEALTHY, ...fields } as unknown as EndpointInfo, PERIOD);
}

/** Creates the fields of an endpoint whose scrapes after a time failed. */
function createFailing(lastSuccess: number, scrapes: number, failure: object = REFUSED): object {
  return {
    last_fetch_ns: at(lastSuccess),
    last_failure_ns: at(lastSuccess + 1),
    outages: [{ start_ns: at(lastSuccess + 0.3), scrapes, ...failure }],
  };
}

const createReset = (seconds: number, counters: number): object => ({
  previous_ns: at(seconds),
  at_ns: at(seconds + 0.3),
  counters,
});

test.each<[string, object, number | undefined]>([
  ['whose last scrapes failed', createFailing(5, 40), 5],
  ['that refused its only scrape after the last success', createFailing(15, 1), 15],
  [
    'with a single failure of another kind',
    createFailing(15, 1, { ...REFUSED, reason: 'server_error' }),
    undefined,
  ],
  ['that failed only after profiling', createFailing(20.1, 4), undefined],
  ['that its source removed', { ...createFailing(5, 40), removed_ns: at(8) }, undefined],
  ['that recovered', { ...createFailing(5, 40), last_fetch_ns: at(19) }, undefined],
  ['that never failed', {}, undefined],
  ['whose outage is not listed', { ...createFailing(5, 40), outages: [], outages_omitted: 1 }, 5],
])('finds the death of an endpoint %s', (_, fields, seconds) => {
  const { death } = assess(fields);
  expect(death && Number(death.lastSuccessNs - START_NS) / 1e9).toBe(seconds);
});

test.each([
  ['refused', false, true],
  ['timeout', false, true],
  ['server_error', true, false],
])('reports whether a dead server still responds (%s: %s)', (reason, isResponding, isSilent) => {
  expect(assess(createFailing(5, 40, { ...REFUSED, reason })).death).toEqual({
    lastSuccessNs: at(5),
    isResponding,
    failedScrapes: 40,
  });
  expect(hasNoResponse(reason)).toBe(isSilent);
});

/** Resets at every second scrape, as behind a load balancer with two replicas. */
const ALTERNATING = Array.from({ length: 30 }, (_, i) => ({
  ...createReset(0.6 * i + 0.3, 8),
  process_restarted: true,
}));

test.each<[string, object, number | undefined]>([
  ['fall at every second scrape', { resets: ALTERNATING }, 30],
  ['fall at every second scrape of a long run', { resets: ALTERNATING, resets_omitted: 70 }, 30],
  ['fell often before profiling', { resets: ALTERNATING.map((_, i) => createReset(-i - 1, 8)) }, undefined],
  ['are a single counter', { resets: ALTERNATING.map((_, i) => createReset(0.6 * i, 1)) }, undefined],
  [
    'fell after outages',
    { resets: ALTERNATING, outages: [{ start_ns: at(0), scrapes: 9, ...REFUSED }] },
    undefined,
  ],
  ['fell four times', { resets: ALTERNATING.slice(0, 4) }, undefined],
  ['never fell', {}, undefined],
])('detects a mixture of processes from counters that %s', (_, fields, resets) => {
  expect(assess(fields).mixedResets).toBe(resets);
});

test('does not report a mixture of processes as restarts', () => {
  expect(assess({ resets: ALTERNATING }).restarts).toEqual([]);
});

test.each<[string, object, number]>([
  ['a changed process start time', { resets: [createReset(5, 0)] }, 1],
  [
    'a changed process start time of a server whose counters also fall',
    { resets: [5, 6, 7, 8].map(seconds => ({ ...createReset(seconds, 8), process_restarted: true })) },
    4,
  ],
  ['several counters that were reset once', { resets: [createReset(5, 12)] }, 1],
  [
    'a reset after an outage',
    {
      resets: [createReset(5, 1)],
      outages: [{ start_ns: at(5.1), end_ns: at(5.3), scrapes: 1, ...REFUSED }],
    },
    1,
  ],
  ['a single counter that fell', { resets: [createReset(5, 1)] }, 0],
  ['counters that fall often', { resets: [5, 6, 7, 8].map(seconds => createReset(seconds, 8)) }, 0],
  [
    'several counters if further resets are not listed',
    { resets: [createReset(5, 12)], resets_omitted: 2 },
    0,
  ],
  ['a reset before profiling', { resets: [createReset(-5, 12)] }, 0],
  ['a reset after profiling', { resets: [createReset(20, 12)] }, 0],
])('detects restarts from %s', (_, fields, count) => {
  expect(assess(fields).restarts).toHaveLength(count);
});

test('returns the last scrape before and the first scrape after a restart', () => {
  expect(assess({ resets: [createReset(5, 0)] }).restarts).toEqual([{ previousNs: at(5), atNs: at(5.3) }]);
});

const createOutage = (start: number, end: number | undefined, scrapes = 3): object => ({
  start_ns: at(start),
  ...(end !== undefined && { end_ns: at(end) }),
  scrapes,
  ...REFUSED,
});

test.each<[string, object, number]>([
  ['during profiling', createOutage(5, 7), 1],
  ['that began before profiling', createOutage(-1, 1), 1],
  ['before profiling', createOutage(-5, -3), 0],
  ['after profiling', createOutage(20, 21), 0],
  ['without recovery', createOutage(5, undefined), 0],
])('lists outages (%s)', (_, outage, count) => {
  expect(assess({ first_fetch_ns: at(-10), outages: [outage] }).outages).toHaveLength(count);
});

test('leaves out the failures before the first success of an endpoint that joined late', () => {
  const outages = [createOutage(1, 4, 9), createOutage(10, 12, 6)];
  const joined = assess({ first_fetch_ns: at(4), scrapes_failed: 15, outages });
  expect(joined.outages).toEqual([outages[1]]);
  expect(joined.failedScrapes).toBe(6);
});

test.each<[string, object, object | undefined]>([
  ['the whole period', {}, { missingAtStart: 0, missingAtEnd: 0 }],
  [
    'more than the period',
    { first_fetch_ns: at(-5), last_fetch_ns: at(25) },
    { missingAtStart: 0, missingAtEnd: 0 },
  ],
  ['a part', { first_fetch_ns: at(2.5), last_fetch_ns: at(18) }, { missingAtStart: 2.5, missingAtEnd: 2 }],
  ['an unknown part', { first_fetch_ns: undefined }, undefined],
])('computes the seconds without samples if they cover %s', (_, fields, missing) => {
  const { coverage } = assess(fields);
  if (missing) expect(coverage).toMatchObject(missing);
  else expect(coverage).toBeUndefined();
});
