import { Collector, createSystemClock, type FetchResult, parseMetricsTarget } from '@org/scrape';
import { expect, test } from 'vitest';
import { toHealthRecord } from '../../src/lifecycle/healthRecord.ts';

const URL = 'http://a:1/metrics';
const SENT_NS = 1_795_248_930_000_000_000n;

/** Creates the result of scrape `n`, counted from 1, which takes 10 ms. The scrape fails if `body` is undefined. */
function createResult(n: number, body: string | undefined): FetchResult {
  const sentNs = SENT_NS + BigInt(n) * 1_000_000_000n;
  const exchange = { url: URL, sentNs, durationMs: 10 };
  if (body === undefined)
    return {
      ...exchange,
      encodedBytes: 0,
      failure: { reason: 'refused', message: 'refused the connection' },
    };
  return {
    ...exchange,
    status: 200,
    contentType: 'text/plain',
    firstByteNs: sentNs,
    encodedBytes: body.length / 2,
    body: Buffer.from(body),
  };
}

/**
 * Scrapes an endpoint once per body; an undefined body is a failed scrape. Returns the health record of the
 * endpoint.
 */
async function scrape(bodies: readonly (string | undefined)[]): Promise<ReturnType<typeof toHealthRecord>> {
  let scrapeCount = 0;
  const collector = new Collector({
    targets: [parseMetricsTarget(URL)],
    clock: createSystemClock(),
    intervalMs: 500,
    createFetcher: () => ({
      fetch: async () => createResult(++scrapeCount, bodies[scrapeCount - 1]),
      close: async () => {},
    }),
    onFrame: () => {},
  });
  for (const _ of bodies) await collector.scrapeAll(10_000);
  const record = toHealthRecord(collector.endpoints[0]!, collector);
  await collector.close();
  return record;
}

test('describes an endpoint that was never scraped', async () => {
  expect(await scrape([])).toEqual({
    status: 'no_data',
    last_error: null,
    scrapes_failed: 0,
    scrapes_late: 0,
    samples_dropped: 0,
    lines_dropped: 0,
    bytes: 0,
    outages: [],
    outages_omitted: 0,
    resets: [],
    resets_omitted: 0,
    address_changes: [],
    address_changes_omitted: 0,
    unsupported: [],
    cost: {
      bytes_decoded: 0,
      configured_interval_ms: 500,
      effective_interval_ms: 500,
      max_interval_ms: 500,
      interval_backoffs: 0,
    },
  });
});

test('describes an outage, a reset and the cost of scraping', async () => {
  const record = await scrape(['# TYPE a counter\na 5\n', undefined, undefined, '# TYPE a counter\na 1\n']);
  expect(record).toMatchObject({
    status: 'intermittent',
    last_error: expect.stringContaining('refused the connection'),
    last_error_reason: 'refused',
    scrapes_failed: 2,
    outages: [{ scrapes: 2, reason: 'refused', end_ns: expect.any(BigInt) }],
    resets: [{ at_ns: SENT_NS + 4_000_000_000n, previous_ns: SENT_NS + 1_000_000_000n, counters: 1 }],
    cost: { bytes_per_scrape: 10.5, decoded_bytes_per_scrape: 21, bytes_decoded: 42 },
  });
  // The quantiles are accurate to 1%.
  expect(record.cost!.scrape_latency_p50_ms).toBeGreaterThan(9.8);
  expect(record.cost!.scrape_latency_p99_ms).toBeLessThan(10.2);
});

test('leaves the end of an outage open if the endpoint did not recover', async () => {
  const { status, outages } = await scrape(['a 5\n', undefined]);
  expect(status).toBe('failing');
  expect(outages).toHaveLength(1);
  expect(outages[0]).not.toHaveProperty('end_ns');
});
