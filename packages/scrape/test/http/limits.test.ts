import { describe, expect, test } from 'vitest';
import { Endpoint } from '../../src/endpoint/endpoint.ts';
import type { UrlFetcher } from '../../src/endpoint/pageScraper.ts';
import { parseMetricsTarget } from '../../src/endpoint/target.ts';
import { checkSampleCount, DEFAULT_LIMITS, type ScrapeLimits } from '../../src/http/limits.ts';

/** Creates an endpoint whose server responds with these bodies, in order. */
function createEndpoint(bodies: readonly string[], limits: Partial<ScrapeLimits>): Endpoint {
  const queue = [...bodies];
  let sentNs = 0n;
  const fetcher: UrlFetcher = {
    async fetch(url) {
      sentNs += 1_000_000n;
      const body = Buffer.from(queue.shift()!);
      return {
        url,
        sentNs,
        firstByteNs: sentNs + 1n,
        durationMs: 1,
        status: 200,
        encodedBytes: body.length,
        contentType: 'text/plain',
        body,
      };
    },
    async close() {},
  };
  return new Endpoint({ target: { ...parseMetricsTarget('http://h:1'), access: { limits } }, fetcher });
}

const formatSamples = (count: number): string =>
  Array.from({ length: count }, (_, i) => `a{n="${i}"} 1\n`).join('');
const formatLabels = (count: number): string =>
  `a{${Array.from({ length: count }, (_, i) => `l${i}="x"`).join(',')}} 1\n`;

describe('rejects a body above a limit, naming the value and the limit', () => {
  test.each<[string, Partial<ScrapeLimits>, string, string, string, string]>([
    [
      'samples',
      { samples: 5 },
      formatSamples(5),
      formatSamples(6),
      'too_many_samples',
      'sent 6 samples; the limit is 5; use --limit samples=N to raise it',
    ],
    [
      'labels',
      { labels: 3 },
      formatLabels(3),
      formatLabels(4),
      'too_many_labels',
      'sent a sample of "a" with 4 labels; the limit is 3; use --limit labels=N to raise it',
    ],
    [
      'a label name',
      { labelNameBytes: 4 },
      'a{abcd="x"} 1\n',
      'a{abcde="x"} 1\n',
      'label_too_long',
      'sent a label name of 5 bytes in a sample of "a"; the limit is 4; use --limit label_name_bytes=N to raise it',
    ],
    [
      'a label value',
      { labelValueBytes: 4 },
      'a{l="ää"} 1\n',
      'a{l="äää"} 1\n',
      'label_too_long',
      'sent a value of 6 bytes for label "l" in a sample of "a"; the limit is 4; use --limit label_value_bytes=N to raise it',
    ],
  ])('%s', async (_, limits, good, bad, reason, message) => {
    const endpoint = createEndpoint([bad, good, bad, good], limits);
    expect((await endpoint.scrape()).failure).toMatchObject({ reason, message });
    expect(endpoint.health.status).toBe('no_data');
    expect(endpoint.layout.slotCount).toBe(0);
    expect((await endpoint.scrape()).frame).toBeDefined();
    const slots = endpoint.layout.slotCount;
    expect((await endpoint.scrape()).failure).toMatchObject({ reason, message });
    expect(endpoint.health.status).toBe('failing');
    expect(endpoint.layout.slotCount).toBe(slots);
    expect((await endpoint.scrape()).frame).toBeDefined();
    expect(endpoint.health.outages.map(({ reason, scrapes }) => [reason, scrapes])).toEqual([
      [reason, 1],
      [reason, 1],
    ]);
  });
});

test('does not count comments and empty lines as samples', () => {
  const body = Buffer.from('# HELP a b\n# TYPE a gauge\n\na 1\n\n# EOF');
  expect(() => checkSampleCount(body, { ...DEFAULT_LIMITS, samples: 1 })).not.toThrow();
  expect(() => checkSampleCount(Buffer.from('a 1\nb 2'), { ...DEFAULT_LIMITS, samples: 1 })).toThrow(
    /sent 2 samples/,
  );
});
