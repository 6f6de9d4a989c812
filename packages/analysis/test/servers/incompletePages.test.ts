import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { builtInServers, listUsedTypes } from '@org/servers';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { computeDerived } from '../../src/derived/computeDerived.ts';
import { findFindings } from '../../src/findings/findFindings.ts';
import { listUnusableMetrics } from '../../src/findings/unusableMetricsBlock.ts';
import { findKeyMetrics } from '../../src/keyMetrics/keyMetrics.ts';
import { computeRequestTime } from '../../src/requestTime/requestTime.ts';
import { createRunFromView } from '../../src/run/run.ts';
import { createDocument, healthyInfo, URL_A } from '../documents.ts';
import { createMetrics, type RecordedMetric, SHARED } from '../recordedPage.ts';

type Metrics = Readonly<Record<string, RecordedMetric>>;

/** The pages of this project, by the path of their folder. */
const PAGES = resolve(import.meta.dirname, '../../../servers/test/pages');

/** A real page of each server: of the shared test data, or of this project. */
const SERVERS: readonly (readonly [server: string, page: string])[] = [
  ['vLLM', 'vllm-0.29.0/base-after.prom'],
  ['vLLM', 'vllm-0.29.0/dp2-after.prom'],
  ['Dynamo', 'dynamo-1.6.1/kv3/after.frontend.prom'],
  ['Dynamo', 'dynamo-1.6.1/agg/after.worker1.prom'],
  ['SGLang', 'dynamo-1.6.1/agg-sglang/after.worker1.prom'],
  ['SGLang', '../fixtures/exposition/sglang-docs.txt'],
  ['TensorRT-LLM', '../fixtures/exposition/dynamo-component-trtllm.txt'],
  ['TensorRT-LLM', join(PAGES, 'dynamo-1.6.1-mocker-trtllm.prom')],
  ['Triton', '../fixtures/exposition/triton-summaries.txt'],
  ['llama.cpp', 'llama.cpp-2026.10/after.prom'],
  ['SGLang router', 'sglang-router-0.3.2/after.prom'],
  ['NVIDIA DCGM', '../fixtures/exposition/dcgm-exporter-l4.txt'],
  ['llm-d EPP', join(PAGES, 'llm-d-epp-0.9-names.prom')],
  ['LiteLLM', join(PAGES, 'litellm-1.109.1.prom')],
  ['Envoy', join(PAGES, 'envoy-1.40.0.prom')],
  ['Istio', join(PAGES, 'istio-1.24-names.prom')],
  ['LMCache', join(PAGES, 'lmcache-0.5.6-names.prom')],
  ['Mooncake', join(PAGES, 'mooncake-0.3.13.prom')],
  ['NIXL', join(PAGES, 'nixl-1.5.1-names.prom')],
  ['TEI', join(PAGES, 'tei-1.8-names.prom')],
  ['TGI', join(PAGES, 'tgi-3.3-names.prom')],
  ['AMD device metrics', join(PAGES, 'amd-mi300x.prom')],
];

/** Every figure of a run: derived metrics, the mean time of a request, and the statistics of key metrics. */
function readFigures(metrics: Metrics): Map<string, number> {
  const run = createRunFromView(createDocument(metrics, { [URL_A]: healthyInfo }));
  const derived = computeDerived(run).flatMap(({ name, endpoint, labels, value }) =>
    value === undefined ? [] : [[JSON.stringify([name, endpoint, labels]), value] as const],
  );
  const time = computeRequestTime(run);
  findFindings(run);
  const key = findKeyMetrics(run).flatMap(({ metrics: all }) =>
    all.flatMap(({ metric, type, labels, stats }) =>
      Object.entries(stats).flatMap(([stat, value]) =>
        typeof value === 'number'
          ? [[JSON.stringify([metric.name, type, labels, stat]), value] as const]
          : [],
      ),
    ),
  );
  return new Map([...derived, ...(time ? [['time of a request', time.meanMs] as const] : []), ...key]);
}

/** Converts the statistics of a metric to another type. */
function changeType({ type, series }: RecordedMetric): RecordedMetric {
  const target = type === 'gauge' ? 'counter' : 'gauge';
  return {
    type: target,
    series: series.map(({ stats = {}, ...entry }) => {
      const value = stats.avg ?? stats.total ?? stats.count ?? 0;
      return { ...entry, stats: target === 'counter' ? { total: value } : { avg: value, max: value } };
    }),
  };
}

/** Removes a label from all series of a metric. */
function dropLabel({ type, series }: RecordedMetric, label: string): RecordedMetric {
  return {
    type,
    series: series.map(({ labels: { [label]: _, ...labels }, ...entry }) => ({ ...entry, labels })),
  };
}

/** Returns the figures that differ from the full page. A figure may be missing, but not wrong. */
function findWrong(mutated: Metrics, full: ReadonlyMap<string, number>): string[] {
  return [...readFigures(mutated)]
    .filter(([name, value]) => full.has(name) && Math.abs(full.get(name)! - value) > 1e-9 * Math.abs(value))
    .map(([name, value]) => `${name}: ${value} instead of ${full.get(name)}`);
}

const runs = { numRuns: 25, seed: Number(process.env.SERVELENS_PROPERTY_SEED ?? 1) };

const missing = SERVERS.filter(([, page]) => !existsSync(resolve(SHARED, 'peers', page)));
if (missing.length > 0) console.warn(`skipped: no shared test data at ${SHARED} (set SERVELENS_SHARED)`);

test('every server has a page', () => {
  const names = new Set(SERVERS.map(([name]) => name));
  expect(builtInServers.servers.map(({ name }) => name).filter(name => !names.has(name))).toEqual([]);
});

describe.each(SERVERS.filter(entry => !missing.includes(entry)))('%s, %s', (server, page) => {
  const metrics = createMetrics('', page);
  const names = Object.keys(metrics);
  const full = readFigures(metrics);

  test('the full page has figures', () => {
    expect(full.size).toBeGreaterThan(0);
  });

  test('half of the metrics: no figure is wrong', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(names, { maxLength: Math.ceil(names.length / 2) }), kept => {
        const half = Object.fromEntries(kept.map(name => [name, metrics[name]!]));
        expect(findWrong(half, full)).toEqual([]);
      }),
      runs,
    );
  });

  test('a metric with another type: no figure is wrong, and the export names a metric that is used', () => {
    const used = listUsedTypes(builtInServers.servers.find(({ name }) => name === server)!);
    fc.assert(
      fc.property(fc.constantFrom(...names), name => {
        const changed = { ...metrics, [name]: changeType(metrics[name]!) };
        expect(findWrong(changed, full)).toEqual([]);
        const view = createDocument(changed, { [URL_A]: healthyInfo });
        const reasons = listUnusableMetrics(view, builtInServers).map(({ reason }) => reason);
        if (used.get(name as never) !== undefined)
          expect(reasons.some(reason => reason.startsWith(`${name} is a `))).toBe(true);
      }),
      runs,
    );
  });

  test('a metric without one of its labels: no figure is wrong', () => {
    const labels = names.flatMap(name =>
      [...new Set(metrics[name]!.series.flatMap(series => Object.keys(series.labels)))].map(
        label => [name, label] as const,
      ),
    );
    fc.assert(
      fc.property(fc.constantFrom(...labels, undefined), entry => {
        if (entry === undefined) return;
        const [name, label] = entry;
        expect(findWrong({ ...metrics, [name]: dropLabel(metrics[name]!, label) }, full)).toEqual([]);
      }),
      runs,
    );
  });
});
