import { createRunFromView } from '@org/analysis';
import { expect, test } from 'vitest';
import { createScreen } from '../../src/screen.ts';
import { renderUrls } from '../../src/summary/urlTable.ts';

const SCREEN = createScreen({ width: 100, color: false });
const ENDPOINTS = createRunFromView({
  schema_version: '1.0',
  metrics: {},
  summary: {
    endpoints_configured: ['http://a:1/metrics', 'http://b:1/metrics'],
    endpoints_successful: ['http://a:1/metrics', 'http://b:1/metrics'],
    endpoint_info: {},
  },
} as never).endpoints;
const BLOCKS = {
  request_count: { unit: 'requests', avg: 30 },
  error_request_count: { unit: 'requests', avg: 2 },
  goodput: { unit: 'requests/sec', avg: 6.7194 },
  request_latency: { unit: 'ms', avg: 127.7, p50: 102, p99: 350.4 },
};

function render(profile: object, freeLines = 40): string[] {
  return renderUrls({ profile: profile as never, endpoints: ENDPOINTS }, SCREEN, freeLines);
}

test('shows the goodput, failures and latencies of each URL', () => {
  const url_metrics = [
    { url_index: 0, url: 'http://a:1', metrics: BLOCKS },
    { url_index: 1, metrics: {} },
  ];
  const lines = render({ goodput: { avg: 9 }, url_metrics });
  expect(lines.map(line => line.trim().replace(/ +/g, ' '))).toEqual([
    '',
    'Requests by URL requests failed goodput latency p99 TTFT p99',
    'a:1 30 2 6.72/s 128 ms 350 ms',
    'URL 2 0 0',
  ]);
});

test('says that the goodput per server is not known behind one URL', () => {
  expect(render({ goodput: { avg: 9 } })).toEqual([
    '',
    ' goodput per server is not known: all requests were sent to one URL, and responses do not name the',
    ' server',
  ]);
});

test.each<[string, object, number]>([
  ['without limits of goodput', {}, 40],
  ['on a screen without free lines', { goodput: { avg: 9 } }, 1],
])('is empty %s', (_, profile, freeLines) => {
  expect(render(profile, freeLines)).toEqual([]);
});

test('shows at most 8 URLs', () => {
  const url_metrics = Array.from({ length: 10 }, (_, url_index) => ({ url_index, metrics: BLOCKS }));
  expect(render({ url_metrics }).at(-1)).toBe(' 2 more URLs; --json lists all');
});
