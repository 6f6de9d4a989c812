import { expect, test } from 'vitest';
import {
  findDeath,
  findPartialCoverages,
  formatPartialCoverage,
  hasDiedOrRestarted,
  listRestarts,
} from '../../src/run/availability.ts';
import { createRunFromView } from '../../src/run/run.ts';
import { createDocument, healthyInfo, SECOND_NS, START_NS, URL_A } from '../documents.ts';

const at = (seconds: number): bigint => START_NS + BigInt(Math.round(seconds * 1e9));

const REFUSED = { reason: 'refused', message: 'refused the connection' };

function createFailingInfo(lastSuccess: number, scrapes: number, failure: object = REFUSED): object {
  return {
    ...healthyInfo,
    status: 'failing',
    last_fetch_ns: at(lastSuccess),
    last_failure_ns: at(lastSuccess + 1),
    outages: [{ start_ns: at(lastSuccess + 0.3), scrapes, ...failure }],
  };
}

const openWith = (info: object): ReturnType<typeof createRunFromView> =>
  createRunFromView(createDocument({}, { [URL_A]: info }));

test.each<[string, object, number | undefined]>([
  ['whose last scrapes failed', createFailingInfo(5, 40), 5],
  ['that refused its only scrape after the last success', createFailingInfo(15, 1), 15],
  [
    'with a single failure of another kind',
    createFailingInfo(15, 1, { ...REFUSED, reason: 'server_error' }),
    undefined,
  ],
  ['that failed only after profiling', createFailingInfo(20.1, 4), undefined],
  ['that recovered', { ...createFailingInfo(5, 40), last_fetch_ns: at(19) }, undefined],
  ['that never failed', healthyInfo, undefined],
  ['whose outage is not listed', { ...createFailingInfo(5, 40), outages: [], outages_omitted: 1 }, 5],
])('finds the death of an endpoint %s', (_, info, seconds) => {
  const { endpoints, times } = openWith(info);
  const death = findDeath(endpoints[0]!, times);
  expect(death && Number(death.lastSuccessNs - START_NS) / 1e9).toBe(seconds);
});

const createReset = (seconds: number, counters: number): object => ({
  previous_ns: at(seconds),
  at_ns: at(seconds + 0.3),
  counters,
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
  ['a reset before profiling', { resets: [createReset(-5, 12)] }, 0],
])('detects restarts from %s', (_, info, count) => {
  const { endpoints, times } = openWith({ ...healthyInfo, ...info });
  expect(listRestarts(endpoints[0]!, times)).toHaveLength(count);
  expect(hasDiedOrRestarted(endpoints[0]!, { times })).toBe(count > 0);
});

test('returns the last scrape before and the first scrape after a restart', () => {
  const { endpoints, times } = openWith({ ...healthyInfo, resets: [createReset(5, 0)] });
  expect(listRestarts(endpoints[0]!, times)).toEqual([
    { previousNs: START_NS + 5n * SECOND_NS, atNs: at(5.3) },
  ]);
});

test.each<[string, object, string | undefined]>([
  ['that died', createFailingInfo(7, 40), 'localhost:8000 7 s of 20 s'],
  ['that joined late', { ...healthyInfo, first_fetch_ns: at(12) }, 'localhost:8000 8 s of 20 s'],
  [
    'that joined late and died',
    { ...createFailingInfo(9, 40), first_fetch_ns: at(5) },
    'localhost:8000 4 s of 20 s',
  ],
  ['that responded until the end', healthyInfo, undefined],
  ['whose last sample is shortly before the end', { ...healthyInfo, last_fetch_ns: at(18.5) }, undefined],
])('finds the part of the run that the values of an endpoint %s cover', (_, info, text) => {
  const partial = findPartialCoverages(openWith(info)).get(URL_A);
  expect(partial && formatPartialCoverage(partial)).toBe(text);
});
