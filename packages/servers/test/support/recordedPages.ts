import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { builtInServers } from '../../src/builtInServers.ts';
import type { RoleMetric, ServerDefinition } from '../../src/serverDefinition.ts';

/** Folder of shared test data: SERVELENS_SHARED, or by default `shared` next to the repository. */
export const SHARED_FOLDER: string =
  process.env.SERVELENS_SHARED ?? resolve(import.meta.dirname, '../../../../../shared');

/** Folder of pages that were recorded for this package. */
const PAGES_FOLDER = resolve(import.meta.dirname, '../pages');

/** Returns the path of a page: of this package if it starts with `pages/`, otherwise of the shared test data. */
export function findPage(page: string): string {
  return page.startsWith('pages/')
    ? join(PAGES_FOLDER, page.slice('pages/'.length))
    : join(SHARED_FOLDER, page);
}

/** The metric type that each operation of a role requires. */
const OPERATION_TYPES: Readonly<Record<RoleMetric['operation'], string>> = {
  sum: 'gauge',
  max: 'gauge',
  mean: 'gauge',
  total: 'counter',
  observed: 'histogram',
  count: 'histogram',
  busy: 'counter',
  p99: 'histogram',
};

/** The metric type that each statistic of a key metric requires. */
const STAT_TYPES = {
  avg: 'gauge',
  max: 'gauge',
  total: 'counter',
  rate: 'counter',
  p99_estimate: 'histogram',
} as const;

/**
 * Reads the types of all metrics on recorded pages, by the name of the metric in exports: counters without
 * `_total`.
 */
function readTypes(pages: readonly string[]): Map<string, string> {
  const types = new Map<string, string>();
  for (const page of pages)
    for (const [, name, type] of readFileSync(findPage(page), 'utf8').matchAll(/^# TYPE (\S+) (\w+)/gm))
      types.set(type === 'counter' ? name!.replace(/_total$/, '') : name!, type!);
  return types;
}

/** Lists every metric that a definition uses, with the type that the use requires. */
function listUses(server: ServerDefinition): string[][] {
  const { roles, keyMetrics, reconciliation, promptTokenCache, kvCacheConfig, component } = server;
  const { running, requests, unfinished, promptTokens, generationTokens, ...latencies } = reconciliation;
  const cache = Object.values(promptTokenCache ?? {});
  const counts = [...requests, ...unfinished, ...promptTokens, ...generationTokens, ...cache];
  return [
    ...Object.values(roles).flatMap(({ metrics, operation }) =>
      metrics.map(metric => [metric, OPERATION_TYPES[operation]]),
    ),
    ...(kvCacheConfig ? [[kvCacheConfig.metric, 'gauge']] : []),
    ...(component ? [[component.metric, 'counter']] : []),
    ...keyMetrics.map(({ name, stat }) => [name, STAT_TYPES[stat]]),
    ...running.map(name => [name, 'gauge']),
    ...counts.flatMap(({ name, of, plus = [] }) =>
      [name, ...plus].map(metric => [metric, of === 'total' ? 'counter' : 'histogram']),
    ),
    ...Object.values(latencies).flatMap(list =>
      list.flatMap(({ name, by }) =>
        by === undefined
          ? [[name, 'histogram']]
          : [
              [name, 'counter'],
              [by, 'counter'],
            ],
      ),
    ),
  ];
}

/**
 * Declares tests that compare a definition with recorded `/metrics` pages of the server: every metric must
 * exist on a page with the type that its use requires, except the metrics in `unrecorded`, which must not
 * exist on any page.
 */
export function describeRecordedPages(
  name: string,
  pages: readonly string[],
  unrecorded: readonly string[] = [],
): void {
  const server = builtInServers.servers.find(candidate => candidate.name === name)!;
  const missing = pages.filter(page => !existsSync(findPage(page)));
  if (missing.length > 0)
    console.warn(`skipped: no shared test data at ${findPage(missing[0]!)} (set SERVELENS_SHARED)`);
  describe.skipIf(missing.length > 0)(`recorded pages of ${name} (shared test data)`, () => {
    const types = missing.length > 0 ? new Map<string, string>() : readTypes(pages);
    const metricUses = listUses(server);

    test('contain every metric of the definition except the unrecorded metrics, with the required type', () => {
      const recorded = metricUses.filter(([name]) => !unrecorded.includes(name!));
      expect(recorded.map(([name]) => [name, types.get(name!)])).toEqual(recorded);
    });

    test('lack all metrics that are listed as unrecorded, and no others', () => {
      const missingMetrics = new Set(metricUses.map(([name]) => name!).filter(name => !types.has(name)));
      expect([...missingMetrics].sort()).toEqual([...unrecorded].sort());
    });
  });
}
