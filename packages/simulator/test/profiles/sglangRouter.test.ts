import { expect, test } from 'vitest';
import { readSampleValue } from '../support/exposition.ts';
import { expectLikeReal, expectSameFamilies, readPages, runUnderLoad } from '../support/profiles.ts';
import { hasShared } from '../support/shared.ts';

const simulation = runUnderLoad({ kind: 'sglang-router', engines: 2 });
// The router checks its workers for the first time after a minute.
simulation.advanceTo(61e9);
const families = readPages(simulation);
const { requests } = simulation.getTruth();

const REAL_PAGE = 'peers/sglang-router-0.3.2/after.prom';

test.skipIf(!hasShared)('has the families, types and labels of the page of a real router', () => {
  expectSameFamilies(families, REAL_PAGE);
});

test.skipIf(!hasShared)('has the bounds of the histograms of a real router', () => {
  expectLikeReal(families, REAL_PAGE, /^$/);
});

test('counts requests when they arrive, and responses when they end', () => {
  const inProgress = readSampleValue(families, 'smg_http_connections_active');
  expect(inProgress).toBeGreaterThan(0);
  const labels = { model: simulation.options.model, endpoint: 'chat', streaming: 'true' };
  expect(readSampleValue(families, 'smg_router_requests_total', labels)).toBe(requests.length + inProgress);
  expect(readSampleValue(families, 'smg_http_responses_total')).toBe(requests.length);
  expect(readSampleValue(families, 'smg_router_request_duration_seconds_count')).toBe(requests.length);
});

test('every request in progress has one range of ages', () => {
  const counts = families.get('smg_http_inflight_request_age_count')!.samples.map(({ value }) => value);
  expect(counts).toHaveLength(12);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(
    readSampleValue(families, 'smg_http_connections_active'),
  );
});

test('shows each engine as a healthy worker', () => {
  expect(families.get('smg_worker_health')!.samples.map(({ value }) => value)).toEqual([1, 1]);
  expect(readSampleValue(families, 'smg_worker_pool_size')).toBe(2);
  expect(readSampleValue(families, 'smg_worker_health_checks_total', { result: 'success' })).toBe(2);
});
