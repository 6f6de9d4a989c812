import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FINDING_RULES } from '../../src/findings/findFindings.ts';
import { createGauge, createHistogram, createMetric, healthyInfo, URL_A, URL_B } from '../documents.ts';
import { createGauges, findIn, HEALTHY_METRICS } from './runs.ts';

test('returns no findings for a healthy run', () => {
  expect(findIn(HEALTHY_METRICS)).toEqual([]);
});

const twoFullCaches = {
  'vllm:kv_cache_usage_perc': createMetric('gauge', [
    createGauge(0.8, { max: 0.95 }),
    createGauge(0.8, { max: 0.99, url: URL_B }),
  ]),
};

test('lists the worst endpoint of a finding first', () => {
  const [finding] = findIn(twoFullCaches, { [URL_A]: healthyInfo, [URL_B]: healthyInfo });
  expect(finding!.evidence.map(({ endpoint }) => endpoint)).toEqual(['down:1', 'localhost:8000']);
});

test('sorts problems first, then warnings, then notes', () => {
  const findings = findIn({
    ...twoFullCaches,
    ...createGauges({
      'sglang:cache_hit_rate': createGauge(0.3),
    }),
    'vllm:time_to_first_token_seconds': createMetric(
      'histogram',
      [
        createHistogram(100, 1, {
          stats: { p99_estimate: 9 },
          extraFields: { buckets: { '1': 50, '+Inf': 100 } },
        }),
      ],
      'seconds',
    ),
  });
  expect(findings.map(({ severity, server }) => [severity, server])).toEqual([
    ['problem', 'vLLM'],
    ['warning', 'vLLM'],
    ['note', 'SGLang'],
    ['note', undefined],
  ]);
});

const fullCache = createGauges({ 'vllm:kv_cache_usage_perc': createGauge(0.8, { max: 0.95 }) });

test('skips the rules in `without`', () => {
  const without = ['full-kv-cache', 'run-without-timeslices'];
  expect(findIn(fullCache, undefined, { without })).toEqual([]);
});

test('applies custom thresholds', () => {
  const thresholds = { 'full-kv-cache': { usage: 0.96 } };
  expect(findIn(fullCache, undefined, { thresholds }).map(({ id }) => id)).toEqual([
    'run-without-timeslices',
  ]);
});

test('docs/summary.md lists every rule in order, with its severity and thresholds', () => {
  const page = readFileSync(new URL('../../../../docs/summary.md', import.meta.url), 'utf8');
  const rows = page.slice(page.indexOf('| id |')).matchAll(/^\| `([a-z-]+)` \| (\w+) \| .* \| (.*) \|$/gm);
  const documented = [...rows].map(([, id, severity, thresholds]) => ({
    id,
    severity,
    thresholds: [...thresholds!.matchAll(/`(\w+=[\d.]+)`/g)].map(([, threshold]) => threshold),
  }));
  expect(documented).toEqual(
    FINDING_RULES.map(({ id, severity, thresholds }) => ({
      id,
      severity,
      thresholds: Object.entries(thresholds).map(([name, { value }]) => `${name}=${value}`),
    })),
  );
});

test('rule IDs are unique', () => {
  expect(new Set(FINDING_RULES.map(({ id }) => id)).size).toBe(FINDING_RULES.length);
});
