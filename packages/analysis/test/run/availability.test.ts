import { expect, test } from 'vitest';
import {
  computeFailedShare,
  describeDeath,
  findPartialCoverages,
  formatPartialCoverage,
  hasData,
  hasDiedOrRestarted,
} from '../../src/run/availability.ts';
import { createRunFromView } from '../../src/run/run.ts';
import { createDocument, downInfo, healthyInfo, START_NS, URL_A } from '../documents.ts';

const at = (seconds: number): bigint => START_NS + BigInt(Math.round(seconds * 1e9));

const REFUSED = { reason: 'refused', message: 'refused the connection' };

function createFailingInfo(lastSuccess: number, reason = 'refused'): object {
  return {
    ...healthyInfo,
    status: 'failing',
    last_fetch_ns: at(lastSuccess),
    last_failure_ns: at(lastSuccess + 1),
    outages: [{ ...REFUSED, start_ns: at(lastSuccess + 0.3), scrapes: 40, reason }],
  };
}

const restartedInfo = {
  ...healthyInfo,
  resets: [{ previous_ns: at(5), at_ns: at(5.3), counters: 12 }],
};

const openWith = (info: object): ReturnType<typeof createRunFromView> =>
  createRunFromView(createDocument({}, { [URL_A]: info }));

test.each<[string, object, string | undefined]>([
  ['died', createFailingInfo(5), 'stopped responding after 5 s and did not recover'],
  [
    'returns errors only',
    createFailingInfo(12.4, 'server_error'),
    'stopped returning metrics after 12 s and did not recover',
  ],
  [
    'died before profiling',
    createFailingInfo(-1.25),
    'stopped responding 1.3 s before profiling and did not recover',
  ],
  [
    'died just before the end',
    createFailingInfo(19.6),
    'stopped responding after 20 s, 400 ms before the end',
  ],
  ['is healthy', healthyInfo, undefined],
])('describes the death of a server that %s', (_, info, text) => {
  const { endpoints, times } = openWith(info);
  expect(describeDeath(endpoints[0]!, times)).toBe(text && `localhost:8000 ${text}`);
});

test.each<[string, object, boolean]>([
  ['died', createFailingInfo(5), true],
  ['restarted', restartedInfo, true],
  ['is healthy', healthyInfo, false],
])('reports whether a server %s', (_, info, expected) => {
  expect(hasDiedOrRestarted(openWith(info).endpoints[0]!)).toBe(expected);
});

test.each<[string, object, boolean]>([
  ['active', healthyInfo, true],
  ['failing', createFailingInfo(5), true],
  ['without data', downInfo, false],
])('reports whether an endpoint that is %s returned data', (_, info, expected) => {
  expect(hasData(openWith(info).endpoints[0]!)).toBe(expected);
});

test('computes the fraction of failed scrapes', () => {
  const share = (info: object): number => computeFailedShare(openWith(info).endpoints[0]!);
  expect(share({ ...healthyInfo, scrapes_failed: 20 })).toBe(0.25);
  expect(share(healthyInfo)).toBe(0);
});

test.each<[string, object, string | undefined]>([
  ['that died', createFailingInfo(7), 'localhost:8000 7 s of 20 s'],
  ['that joined late', { ...healthyInfo, first_fetch_ns: at(12) }, 'localhost:8000 8 s of 20 s'],
  [
    'that joined late and died',
    { ...createFailingInfo(9), first_fetch_ns: at(5) },
    'localhost:8000 4 s of 20 s',
  ],
  ['that responded until the end', healthyInfo, undefined],
  ['whose last sample is shortly before the end', { ...healthyInfo, last_fetch_ns: at(18.5) }, undefined],
])('finds the part of the run that the values of an endpoint %s cover', (_, info, text) => {
  const partial = findPartialCoverages(openWith(info)).get(URL_A);
  expect(partial && formatPartialCoverage(partial)).toBe(text);
});
