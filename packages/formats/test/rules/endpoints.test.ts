import { describe, expect, it } from 'vitest';
import { checkEndpoints } from '../../src/rules/endpoints.ts';
import { collectFindings } from '../support/report.ts';

const A = 'http://a:8000/metrics';
const B = 'http://b:8000/metrics';
const FALLBACK = 'http://a:8000/prometheus/metrics';
const NS = 1_772_000_000_000_000_000n;
const createInfo = (change: object = {}) => ({
  total_fetches: 3,
  first_fetch_ns: NS,
  last_fetch_ns: NS + 10_000_000_000n,
  unique_updates: 2,
  first_update_ns: NS,
  last_update_ns: NS + 9_000_000_000n,
  duration_seconds: 9,
  ...change,
});
const createSummary = (change: object = {}) => ({
  endpoints_configured: [A],
  endpoints_successful: [A],
  endpoint_info: { [A]: createInfo() },
  ...change,
});

describe('checkEndpoints', () => {
  it('returns the successful endpoints, scrape durations and last scrape time', () => {
    expect(checkEndpoints(() => {}, [], createSummary())).toEqual({
      successful: new Set([A]),
      scrapeSeconds: new Map([[A, 10]]),
      lastFetchNs: NS + 10_000_000_000n,
    });
    expect(checkEndpoints(() => {}, [], {})).toEqual({
      successful: undefined,
      scrapeSeconds: new Map(),
      lastFetchNs: 0n,
    });
  });

  it('counts a fallback path among the successful endpoints', () => {
    const summary = createSummary({ endpoint_info: { [FALLBACK]: createInfo() } });
    expect(checkEndpoints(() => {}, [], summary).successful).toEqual(new Set([A, FALLBACK]));
  });

  it.each([
    ['consistent lists', createSummary()],
    [
      'a fallback to another path of the same host',
      createSummary({ endpoints_configured: ['http://a:8000/prometheus'] }),
    ],
    [
      'an endpoint that was found at another URL',
      createSummary({
        endpoints_configured: ['http://a:8000'],
        endpoint_info: { [A]: createInfo({ configured_url: 'http://a:8000' }) },
      }),
    ],
  ])('accepts %s', (_, document) => {
    expect(collectFindings(report => checkEndpoints(report, [], document))).toEqual([]);
  });

  it.each([
    [
      'a repeated URL',
      createSummary({ endpoints_configured: [A, A] }),
      `endpoint-repeated .endpoints_configured[1]: is ${A}, which is already in the list`,
    ],
    [
      'an endpoint that was not configured',
      createSummary({
        endpoints_successful: [A, B],
        endpoint_info: { [A]: createInfo(), [B]: createInfo() },
      }),
      `endpoint-unlisted .endpoints_successful[1]: is ${B}, which is not in endpoints_configured`,
    ],
    [
      'a successful endpoint without details',
      createSummary({ endpoint_info: {} }),
      `endpoint-info-missing .endpoint_info: has no entry for ${A}, which is in endpoints_successful`,
    ],
    [
      'a successful endpoint that is described under a fallback path only',
      createSummary({ endpoint_info: { [FALLBACK]: createInfo() } }),
      `endpoint-fallback .endpoint_info: has no entry for ${A}, which is in endpoints_successful, but one for ${FALLBACK} on the same host`,
    ],
    [
      'a successful endpoint without data',
      createSummary({ endpoint_info: { [A]: createInfo({ total_fetches: 0, unique_updates: 0 }) } }),
      `endpoint-data .endpoint_info["${A}"].total_fetches: is 0, but the endpoint is in endpoints_successful`,
    ],
    [
      'an update after the last scrape',
      createSummary({
        endpoint_info: { [A]: createInfo({ last_update_ns: NS + 11_000_000_000n, duration_seconds: 11 }) },
      }),
      `endpoint-times .endpoint_info["${A}"].last_fetch_ns: is ${NS + 10_000_000_000n}, before last_update_ns (${NS + 11_000_000_000n})`,
    ],
    [
      'more updates than scrapes',
      createSummary({ endpoint_info: { [A]: createInfo({ unique_updates: 4 }) } }),
      `endpoint-updates .endpoint_info["${A}"].unique_updates: is 4, more than total_fetches (3)`,
    ],
    [
      'a duration that differs from the times of the updates',
      createSummary({ endpoint_info: { [A]: createInfo({ duration_seconds: 5 }) } }),
      `endpoint-duration .endpoint_info["${A}"].duration_seconds: is 5, but last_update_ns − first_update_ns is 9 s`,
    ],
  ])('reports %s', (_, document, expected) => {
    expect(collectFindings(report => checkEndpoints(report, [], document))).toEqual([expected]);
  });
});
