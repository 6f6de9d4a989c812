import { builtInServers, toDefinition } from '@org/servers';
import { expect, test } from 'vitest';
import { computeDerived } from '../../src/derived/computeDerived.ts';
import { findFindings } from '../../src/findings/findFindings.ts';
import { createRunFromView, type Run } from '../../src/run/run.ts';
import { formatVersions } from '../../src/servers/serverVersions.ts';
import {
  createCounter,
  createDocument,
  createGauge,
  createMetric,
  healthyInfo,
  URL_A,
  URL_B,
} from '../documents.ts';

const mine = toDefinition({
  name: 'Mine',
  recognize: { prefixes: ['mine_'], build_info: [{ metric: 'mine_info', version: 'version' }] },
  roles: {
    running: { metrics: ['mine_running'], operation: 'sum' },
    waiting: { metrics: ['mine_waiting'], operation: 'sum' },
    cache_hits: { metrics: ['mine_hits'], operation: 'total' },
    cache_queries: { metrics: ['mine_queries'], operation: 'total' },
  },
  metrics: {
    mine_waiting: { type: 'gauge', meaning: 'Requests that wait.', since: '0.9' },
    mine_hits: { type: 'counter', meaning: 'Tokens from the cache.', since: '0.9' },
  },
});

const OTHERS = Object.fromEntries(
  Array.from({ length: 8 }, (_, index) => [`mine_${index}`, createMetric('gauge', [createGauge(1)])]),
);

function createRun(version: string): Run {
  const metrics = {
    ...OTHERS,
    mine_info: createMetric('gauge', [createGauge(1, { labels: { version } })]),
    mine_running: createMetric('gauge', [createGauge(2)]),
    mine_queries: createMetric('counter', [createCounter(9)]),
  };
  return createRunFromView(
    createDocument(metrics, { [URL_A]: healthyInfo }),
    '',
    builtInServers.with([mine]),
  );
}

test('the versions of servers belong to their endpoints', () => {
  const labels = (tag: string, url: string): object =>
    createGauge(1, { labels: { component: 'proxy', tag }, url });
  const metrics = { istio_build: createMetric('gauge', [labels('1.2.3', URL_A), labels('1.3.0', URL_B)]) };
  const { endpoints } = createRunFromView(
    createDocument(metrics, { [URL_A]: healthyInfo, [URL_B]: healthyInfo }),
  );
  expect(endpoints.map(({ url, versions }) => [url, formatVersions(versions)])).toEqual([
    [URL_A, ['Istio 1.2.3']],
    [URL_B, ['Istio 1.3.0']],
  ]);
});

test.each([
  ['0.8.1', []],
  ['0.9.0', ['Mine 0.9.0 exports no mine_waiting: this version is not known, or the page is incomplete']],
  ['main', ['Mine main exports no mine_waiting: this version is not known, or the page is incomplete']],
])('of version %s, only metrics that it should have are missing', (version, texts) => {
  const finding = findFindings(createRun(version)).find(({ id }) => id === 'unusable-metrics');
  expect((finding?.evidence ?? []).map(({ text }) => text)).toEqual(texts);
});

test.each([
  ['0.8.1', ' (its version is 0.8.1, the metric exists since 0.9)'],
  ['0.9.0', ''],
])('a derived metric of version %s says whether the version explains a missing input', (version, text) => {
  const rate = computeDerived(createRun(version)).find(({ name }) => name === 'prefix_cache_hit_rate');
  expect(rate?.missing).toBe(`needs cache_hits, which Mine at localhost:8000 does not export${text}`);
});
