import { describe, expect, test } from 'vitest';
import { Endpoint } from '../../src/endpoint/endpoint.ts';
import type { EndpointEvent } from '../../src/endpoint/eventReporter.ts';
import type { UrlFetcher } from '../../src/endpoint/pageScraper.ts';
import { parseMetricsTarget, parseServerTarget, type Target } from '../../src/endpoint/target.ts';
import type { FetchResult } from '../../src/http/exchange.ts';

type TestResponse =
  | { body: string; type?: string; durationMs?: number }
  | { stoppedAfterMs: number }
  | { status: number }
  | { json: true }
  | { refused: true };

/**
 * Creates an endpoint with scripted responses, by URL path. The last response of a path is repeated; unlisted
 * paths respond with 404.
 */
function createEndpoint(
  target: Target,
  responses: Record<string, TestResponse[]>,
  claim: (url: string) => string | undefined = url => url,
) {
  const requestedUrls: string[] = [];
  const events: EndpointEvent[] = [];
  let time = 1_000_000_000n;
  const fetcher: UrlFetcher = {
    async fetch(url) {
      requestedUrls.push(new URL(url).pathname);
      const queue = responses[new URL(url).pathname] ?? [{ status: 404 }];
      const response = queue.length > 1 ? queue.shift()! : queue[0]!;
      time += 1_000_000n;
      return toResult(url, response, time);
    },
    async close() {},
  };
  const endpoint = new Endpoint({ target, fetcher, onEvent: event => events.push(event), claim });
  return { endpoint, requestedUrls, events };
}

function toResult(url: string, response: TestResponse, sentNs: bigint): FetchResult {
  const common = { url, sentNs, firstByteNs: sentNs + 500n, durationMs: 1, encodedBytes: 10 };
  if ('body' in response) {
    return {
      ...common,
      status: 200,
      contentType: response.type ?? 'text/plain',
      body: Buffer.from(response.body),
      durationMs: response.durationMs ?? common.durationMs,
    };
  }
  if ('json' in response) {
    return {
      ...common,
      status: 200,
      failure: {
        reason: 'not_prometheus',
        message:
          "returned non-Prometheus content-type 'application/json'; expected text/plain (Prometheus exposition format)",
      },
    };
  }
  if ('status' in response) {
    return {
      ...common,
      status: response.status,
      failure: { reason: 'http_status', message: `responded with HTTP status ${response.status}` },
    };
  }
  const { firstByteNs, ...noResponse } = common;
  if ('stoppedAfterMs' in response) {
    const failure = { reason: 'stopped', message: 'was stopped' } as const;
    return { ...noResponse, durationMs: response.stoppedAfterMs, failure };
  }
  return { ...noResponse, failure: { reason: 'refused', message: 'refused the connection' } };
}

const TARGET = parseMetricsTarget('http://h:1');
const GOOD: TestResponse = { body: 'a 1\n' };
const HTML: TestResponse = { body: '<html><body>hello</body></html>\n', type: 'text/html' };

describe('the first response', () => {
  test.each<[string, TestResponse]>([
    ['a JSON content type', { json: true }],
    ['a JSON body', { body: '[{"iter":1}]\n' }],
    ['an HTML page', HTML],
  ])('with %s makes the endpoint try /prometheus/metrics', async (_, first) => {
    const { endpoint, requestedUrls, events } = createEndpoint(TARGET, {
      '/metrics': [first],
      '/prometheus/metrics': [GOOD],
    });
    expect((await endpoint.scrape()).frame!.values).toEqual(Float64Array.of(1));
    await endpoint.scrape();
    expect(requestedUrls).toEqual(['/metrics', '/prometheus/metrics', '/prometheus/metrics']);
    expect(endpoint.url).toBe('http://h:1/prometheus/metrics');
    expect(endpoint.target.url).toBe('http://h:1/metrics');
    expect(events.map(({ kind }) => kind)).toEqual(['url_changed']);
    expect(endpoint.health.status).toBe('active');
  });

  test('disables the endpoint with one warning if the fallback fails', async () => {
    const { endpoint, requestedUrls, events } = createEndpoint(TARGET, { '/metrics': [{ json: true }] });
    await endpoint.scrape();
    expect(requestedUrls).toEqual(['/metrics', '/prometheus/metrics']);
    expect(endpoint.health.status).toBe('disabled');
    expect(events.map(({ message }) => message)).toEqual([
      "Disabling server metrics collection for http://h:1/metrics: endpoint 'http://h:1/metrics' returned non-Prometheus content-type 'application/json'; expected text/plain (Prometheus exposition format). To suppress this warning, pass --no-server-metrics.",
    ]);
  });

  test('probes no fallback if the URL is the fallback itself', async () => {
    const target = parseMetricsTarget('http://h:1/prometheus/metrics');
    const { endpoint, requestedUrls } = createEndpoint(target, { '/prometheus/metrics': [{ json: true }] });
    await endpoint.scrape();
    expect(requestedUrls).toEqual(['/prometheus/metrics']);
    expect(endpoint.health.status).toBe('disabled');
  });

  test('neither disables the endpoint nor probes its fallback after an HTTP error or a refused connection', async () => {
    const responses = [{ status: 500 }, { refused: true }, GOOD] as TestResponse[];
    const { endpoint, requestedUrls, events } = createEndpoint(TARGET, { '/metrics': responses });
    expect((await endpoint.scrape()).failure!.reason).toBe('http_status');
    expect((await endpoint.scrape()).failure!.reason).toBe('refused');
    expect(endpoint.health.status).toBe('no_data');
    expect((await endpoint.scrape()).frame).toBeDefined();
    expect(requestedUrls).toEqual(['/metrics', '/metrics', '/metrics']);
    expect(endpoint.health).toMatchObject({ status: 'active', failedScrapes: 2, succeededScrapes: 1 });
    expect(events.map(({ message }) => message)).toEqual(["endpoint 'http://h:1/metrics' is now reachable"]);
  });

  test('tries /metrics at the root of the server, then its fallback, if the base URL has no metrics', async () => {
    const root = createEndpoint(parseServerTarget('h:1/v1'), { '/metrics': [GOOD] });
    await root.endpoint.scrape();
    expect(root.requestedUrls).toEqual(['/v1/metrics', '/metrics']);
    expect(root.endpoint.url).toBe('http://h:1/metrics');
    const withFallback = createEndpoint(parseServerTarget('h:1/v1'), {
      '/metrics': [{ json: true }],
      '/prometheus/metrics': [GOOD],
    });
    await withFallback.endpoint.scrape();
    expect(withFallback.requestedUrls).toEqual(['/v1/metrics', '/metrics', '/prometheus/metrics']);
    expect(withFallback.endpoint.health.status).toBe('active');
  });
});

describe('alternative URLs', () => {
  test.each<[string, TestResponse]>([
    ['401', { status: 401 }],
    ['405', { status: 405 }],
    ['an HTML page', HTML],
  ])('tries /metrics at the root if the base URL returns %s', async (_, first) => {
    const { endpoint } = createEndpoint(parseServerTarget('h:1/v1'), {
      '/v1/metrics': [first],
      '/metrics': [GOOD],
    });
    expect((await endpoint.scrape()).frame).toBeDefined();
    expect(endpoint.url).toBe('http://h:1/metrics');
  });

  test('tries no alternatives if the connection is refused', async () => {
    const { endpoint, requestedUrls } = createEndpoint(parseServerTarget('h:1/v1'), {
      '/v1/metrics': [{ refused: true }],
      '/metrics': [GOOD],
    });
    await endpoint.scrape();
    expect(requestedUrls).toEqual(['/v1/metrics']);
  });

  test('names the URL whose response is not in Prometheus format', async () => {
    const { endpoint, events } = createEndpoint(parseServerTarget('h:1/v1'), {
      '/metrics': [{ json: true }],
    });
    await endpoint.scrape();
    expect(endpoint.health.status).toBe('disabled');
    expect(events[0]!.message).toMatch(
      /^Disabling server metrics collection for http:\/\/h:1\/v1\/metrics: endpoint 'http:\/\/h:1\/metrics' returned/,
    );
  });

  test('does not scrape a URL that another endpoint scrapes', async () => {
    const { endpoint, events } = createEndpoint(
      parseServerTarget('h:1/v1'),
      { '/metrics': [GOOD] },
      () => undefined,
    );
    const scrape = await endpoint.scrape();
    expect(scrape.frame).toBeUndefined();
    expect(endpoint.health.status).toBe('duplicate');
    expect(endpoint.url).toBe('http://h:1/v1/metrics');
    expect(events.map(({ message }) => message)).toEqual([
      "endpoint 'http://h:1/v1/metrics' serves its metrics at http://h:1/metrics, like another endpoint; scraping it only once",
    ]);
  });
});

test('fetches a URL with the key in its query but never shows the key', async () => {
  const events: EndpointEvent[] = [];
  const requestedUrls: string[] = [];
  const fetcher: UrlFetcher = {
    async fetch(url) {
      requestedUrls.push(url);
      return toResult(url, url.includes('/prometheus/') ? GOOD : { json: true }, 1_000_000_000n);
    },
    async close() {},
  };
  const target = parseMetricsTarget('http://h:1/metrics?api_key=hunter2');
  const endpoint = new Endpoint({ target, fetcher, onEvent: event => events.push(event) });
  await endpoint.scrape();
  expect(requestedUrls).toEqual([
    'http://h:1/metrics?api_key=hunter2',
    'http://h:1/prometheus/metrics?api_key=hunter2',
  ]);
  expect(JSON.stringify([endpoint.url, endpoint.target.url, events])).not.toContain('hunter2');
});

describe('after the first success', () => {
  test('skips and counts invalid lines, and reports them once', async () => {
    const { endpoint, events } = createEndpoint(TARGET, {
      '/metrics': [GOOD, { body: 'a 2\n!!\n' }, { body: 'a 3\n!!\n' }],
    });
    await endpoint.scrape();
    expect((await endpoint.scrape()).frame!.values[0]).toBe(2);
    expect((await endpoint.scrape()).frame!.values[0]).toBe(3);
    expect(endpoint.health.badLines).toBe(2);
    expect(events.map(({ kind }) => kind)).toEqual(['bad_lines']);
  });

  test('tries no other page if exactly this URL is wanted', async () => {
    const target: Target = { ...TARGET, alternatives: ['http://h:1/other'], isExact: true };
    const { endpoint, requestedUrls } = createEndpoint(target, {
      '/metrics': [{ json: true }],
      '/prometheus/metrics': [GOOD],
      '/other': [GOOD],
    });
    expect((await endpoint.scrape()).failure!.reason).toBe('not_prometheus');
    expect(requestedUrls).toEqual(['/metrics']);
    expect(endpoint.health.status).toBe('disabled');
  });

  test('treats an error page as a failed scrape and continues', async () => {
    const { endpoint, requestedUrls, events } = createEndpoint(TARGET, {
      '/metrics': [GOOD, HTML, { json: true }, GOOD],
    });
    await endpoint.scrape();
    expect((await endpoint.scrape()).failure!.reason).toBe('not_prometheus');
    expect((await endpoint.scrape()).failure!.reason).toBe('not_prometheus');
    expect(endpoint.health.status).toBe('failing');
    await endpoint.scrape();
    expect(endpoint.health.status).toBe('active');
    expect(requestedUrls).toEqual(['/metrics', '/metrics', '/metrics', '/metrics']);
    expect(events.map(({ kind }) => kind)).toEqual(['failing', 'recovered']);
    expect(endpoint.health.outages).toHaveLength(1);
    expect(endpoint.health.outages[0]).toMatchObject({ scrapes: 2, reason: 'not_prometheus' });
    expect(endpoint.health.outages[0]!.endNs).toBeGreaterThan(endpoint.health.outages[0]!.startNs);
  });

  test('rejects a truncated body', async () => {
    const { endpoint } = createEndpoint(TARGET, {
      '/metrics': [{ body: 'a 12\nb 345\n' }, { body: 'a 13\nb 3' }],
    });
    await endpoint.scrape();
    const scrape = await endpoint.scrape();
    expect(scrape.failure!.message).toMatch(/line 2: the body ends in the middle of a line: "b 3"/);
  });

  test('drops NaN values, and every sample of a histogram that contains one', async () => {
    const formatHistogram = (count: string) =>
      `# TYPE h histogram\nh_bucket{le="+Inf"} 1\nh_sum 2\nh_count ${count}\n`;
    const { endpoint } = createEndpoint(TARGET, {
      '/metrics': [
        { body: `# TYPE g gauge\ng NaN\n${formatHistogram('1')}` },
        { body: `# TYPE g gauge\ng 5\n${formatHistogram('NaN')}` },
      ],
    });
    const first = await endpoint.scrape();
    const [g, sum, count, bucket] = [0, 1, 2, 3];
    expect(Array.from(first.frame!.values)).toEqual([Number.NaN, 2, 1, 1]);
    expect(first.reading!.dropped).toBe(1);
    const second = await endpoint.scrape();
    expect(second.frame!.values[g!]).toBe(5);
    for (const part of [sum, count, bucket]) expect(second.frame!.values[part!]).toBeNaN();
    expect(second.reading!.dropped).toBe(3);
    expect(endpoint.health.droppedSamples).toBe(4);
  });
});

test.each([
  ['unusually long', 100, 2500, 'timeout'],
  ['not unusually long', 100, 1500, 'stopped'],
  ['much longer than the one before', 1000, 3500, 'timeout'],
  ['not much longer than the one before', 1000, 2500, 'stopped'],
])(
  'the end of the run stops a scrape that is %s: %d ms, %d ms, %s',
  async (_, durationMs, stoppedAfterMs, reason) => {
    const { endpoint } = createEndpoint(TARGET, {
      '/metrics': [{ body: 'up 1\n', durationMs }, { stoppedAfterMs }],
    });
    await endpoint.scrape();
    expect((await endpoint.scrape()).failure).toMatchObject({ reason });
  },
);
