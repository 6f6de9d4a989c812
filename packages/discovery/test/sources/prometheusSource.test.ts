import { expect, test } from 'vitest';
import { PrometheusSource } from '../../src/sources/prometheusSource.ts';
import { SourceReader } from './sourceReader.ts';
import { sendJson, startWebServer } from './webServer.ts';

const TIMEOUT_MS = 30_000;

async function readTargets(query: string, body: unknown) {
  const paths: string[] = [];
  const url = await startWebServer((request, response) => {
    paths.push(request.url!);
    sendJson(response, body);
  });
  const source = new PrometheusSource({ url: url + query, timeoutMs: TIMEOUT_MS }, 1000);
  return { targets: await new SourceReader(source).next(), paths };
}

const ACTIVE = [
  {
    scrapeUrl: 'https://10.0.0.1:8000/custom?module=a',
    labels: { job: 'vllm', instance: '10.0.0.1:8000', __name__: 'x' },
  },
  { scrapeUrl: 'http://10.0.0.2:8000/metrics', labels: {} },
];

test('reads the active targets with their labels, scheme and path', async () => {
  const { targets, paths } = await readTargets('', { status: 'success', data: { activeTargets: ACTIVE } });
  expect(targets).toEqual([
    {
      url: 'https://10.0.0.1:8000/custom?module=a',
      alternatives: [],
      isExact: true,
      labels: { job: 'vllm', instance: '10.0.0.1:8000' },
    },
    { url: 'http://10.0.0.2:8000/metrics', alternatives: [], isExact: true, labels: {} },
  ]);
  expect(paths).toEqual(['/api/v1/targets?state=active']);
});

test.each([
  ['/prom/?scrapePool=vllm', '/prom/api/v1/targets?scrapePool=vllm&state=active'],
  ['/api/v1/targets', '/api/v1/targets?state=active'],
])('requests %s as %s', async (query, path) => {
  expect((await readTargets(query, { data: { activeTargets: [] } })).paths).toEqual([path]);
});

test.each<[unknown, string]>([
  [{ status: 'success', data: {} }, 'returned no list of active targets; expected the API of Prometheus'],
  [[], 'returned no list of active targets'],
  [{ data: { activeTargets: [{}] } }, 'target 1 has no scrapeUrl'],
  [{ data: { activeTargets: [{ scrapeUrl: 'ftp://h/' }] } }, 'unsupported scheme ftp'],
  [
    { data: { activeTargets: [{ scrapeUrl: 'http://h/', labels: { a: 1 } }] } },
    'target 1 has invalid labels',
  ],
])('rejects %j', async (body, message) => {
  await expect(readTargets('', body)).rejects.toThrow(message);
});
