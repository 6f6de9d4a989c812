import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { runPython } from './python.ts';
import { findCodeBlocks, readSharedDocument } from './sharedDocuments.ts';

type Cell = string | number | boolean | null;

interface Section {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

interface Series {
  readonly endpoint_url: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly stats: Readonly<Record<string, number>>;
}

type Metrics = Readonly<Record<string, { readonly type: string; readonly series: readonly Series[] }>>;

const PERCENTS = [1, 5, 10, 25, 50, 75, 90, 95, 99];
const GAUGE = ['avg', 'min', 'max', 'std', ...PERCENTS.map(percent => `p${percent}`)];
const HISTOGRAM = ['count', 'count_rate', 'sum', 'sum_rate', 'avg'];
/** Statistics of a section, in the order of its columns. */
const STATISTICS: Readonly<Record<string, readonly string[]>> = {
  gauge: GAUGE,
  counter: ['total', 'rate', 'rate_avg', 'rate_min', 'rate_max', 'rate_std'],
  histogram: [...HISTOGRAM, ...PERCENTS.map(percent => `p${percent}_estimate`)],
  unknown: GAUGE,
};

/** Python code that prints the dataframes of the example as JSON. */
const PRINT = `
import json
print(json.dumps([
    {"columns": list(df.columns), "rows": df.astype(object).where(df.notna(), None).values.tolist()}
    for df in sections
]))
`;

const runs = inject('runs');
const guide = readSharedDocument('002');
const example = guide && findCodeBlocks(guide, 'python').find(block => block.includes('read_csv(StringIO'));

describe.skipIf(!runs || !example).each(['servers', 'vllm'] as const)(
  "the pandas example of AIPerf's documentation, run %s",
  run => {
    let sections: Section[];
    let metrics: Metrics;

    beforeAll(async () => {
      const folder = runs![run];
      sections = (await runPython(['-c', example! + PRINT], folder)) as Section[];
      metrics = JSON.parse(readFileSync(join(folder, 'server_metrics_export.json'), 'utf8')).metrics;
    });

    test('returns one dataframe per section, in the documented order', () => {
      const types = new Set(
        Object.entries(metrics).map(([name, { type }]) => (isInfo(name) ? 'info' : type)),
      );
      const expected = ['gauge', 'counter', 'histogram', 'unknown', 'info'].filter(type => types.has(type));
      expect(sections.map(getType)).toEqual(expected);
      expect(expected.length).toBeGreaterThanOrEqual(3);
    });

    test('has the columns of each section', () => {
      for (const section of sections.filter(section => getType(section) !== 'info')) {
        const type = getType(section);
        const leadingColumns = ['Endpoint', 'Type', 'Metric', 'Unit', ...STATISTICS[type]!];
        const trailingColumns = type === 'histogram' ? ['Description', 'buckets'] : ['Description'];
        const labels = section.columns.slice(leadingColumns.length, -trailingColumns.length);
        expect(section.columns).toEqual([...leadingColumns, ...labels, ...trailingColumns]);
        expect(labels.length).toBe(
          new Set(listSeries(type).flatMap(([, { labels }]) => listLabelNames(labels))).size,
        );
      }
    });

    test('has a row for each series, with its statistics', () => {
      for (const section of sections.filter(section => getType(section) !== 'info')) {
        const type = getType(section);
        const rows = new Map(section.rows.map(row => [identifyRow(section, row), row]));
        expect(rows.size, type).toBe(listSeries(type).length);
        expect(section.rows.length, type).toBe(rows.size);
        for (const [name, { endpoint_url, labels, stats }] of listSeries(type)) {
          const identity = identifySeries(name, getEndpoint(endpoint_url), Object.entries(labels ?? {}));
          const row = rows.get(identity) ?? [];
          for (const [i, statistic] of STATISTICS[type]!.entries())
            expect(row[4 + i] ?? null, `${identity} ${statistic}`).toSatisfy(
              createNearPredicate(stats[statistic] ?? null),
            );
        }
      }
    });

    test('has a row for each label of an info metric', () => {
      const expected = Object.entries(metrics)
        .filter(([name]) => isInfo(name))
        .flatMap(([name, { series }]) =>
          series.flatMap(({ labels }) => listLabelNames(labels).map(key => [name, key])),
        );
      const actual =
        sections.find(section => getType(section) === 'info')?.rows.map(row => [row[1], row[2]]) ?? [];
      expect(actual.map(String).sort()).toEqual(expected.map(String).sort());
    });

    function listSeries(type: string): (readonly [string, Series])[] {
      return Object.entries(metrics)
        .filter(([name, metric]) => metric.type === type && !isInfo(name))
        .flatMap(([name, { series }]) => series.map(item => [name, item] as const));
    }
  },
);

function getType({ columns, rows }: Section): string {
  return columns[1] === 'Type' ? String(rows[0]![1]) : 'info';
}

function isInfo(name: string): boolean {
  return name.endsWith('_info');
}

function listLabelNames(labels: Series['labels']): string[] {
  return Object.keys(labels ?? {});
}

/** Returns a key for a series: metric, endpoint name in the CSV, and labels as pandas reads them. */
function identifySeries(
  metric: Cell,
  endpoint: Cell,
  labels: readonly (readonly [name: string, value: Cell])[],
): string {
  const texts = labels.flatMap(([name, value]) => {
    const text = formatLabel(value);
    return text === '' ? [] : [`${name.replace(/^label:/, '')}=${text}`];
  });
  return [metric, endpoint, ...texts.sort()].join(' ');
}

function identifyRow({ columns }: Section, row: readonly Cell[]): string {
  const first = 4 + STATISTICS[String(row[1])]!.length;
  const labels = columns.slice(first, columns.lastIndexOf('Description'));
  return identifySeries(
    row[2]!,
    row[0]!,
    labels.map((name, i) => [name, row[first + i]!]),
  );
}

/** Normalizes a label like pandas, which reads "0" as a number, "true" as a boolean and "null" as missing. */
function formatLabel(value: Cell): string {
  const text = String(value ?? '').toLowerCase();
  if (['', 'na', 'nan', 'null', 'none', 'n/a'].includes(text)) return '';
  return Number.isNaN(Number(text)) ? text : String(Number(text));
}

/** Returns the endpoint name in the CSV: host and port, because the path is the default, /metrics. */
function getEndpoint(url: string): string {
  return new URL(url).host;
}

/**
 * Returns a predicate with a tolerance, because pandas' fast float parser loses the last digits of small
 * numbers.
 */
function createNearPredicate(expected: number | null): (actual: Cell) => boolean {
  return actual =>
    actual === expected ||
    (typeof actual === 'number' &&
      expected !== null &&
      Math.abs(actual - expected) <= 1e-9 * Math.abs(expected));
}
