import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { METRICS } from '../src/metrics/definition.ts';
import { toPrometheusName } from '../src/metrics/prometheusNames.ts';

const docs = new URL('../../../docs/', import.meta.url);

/** The names of all series. */
const SERIES: ReadonlySet<string> = new Set(
  Object.values(METRICS).flatMap(definition => {
    const name = toPrometheusName(definition);
    return definition.kind === 'histogram' ? ['_bucket', '_sum', '_count'].map(end => name + end) : [name];
  }),
);

interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly expr: string }[];
}

const dashboard = readFileSync(new URL('grafana/servelens.json', docs), 'utf8');
const { panels }: { readonly panels: readonly Panel[] } = JSON.parse(dashboard);

test.each(panels)('the panel $title shows only metrics that are written', ({ targets }) => {
  for (const { expr } of targets) {
    const names = expr.match(/\b(?:servelens|gen_ai)_\w+(?=\{)/g) ?? [];
    expect(names.length, expr).toBeGreaterThan(0);
    expect(names.filter(name => !SERIES.has(name))).toEqual([]);
  }
});

test('the variables of the dashboard use only metrics that are written', () => {
  const names = dashboard.match(/\bservelens_(?:run|result)_\w+/g) ?? [];
  expect(names.filter(name => !SERIES.has(name))).toEqual([]);
});

test('the dashboard shows every metric', () => {
  const missing = Object.values(METRICS)
    .map(toPrometheusName)
    .filter(name => !dashboard.includes(name));
  // The number of sent requests is the sum of those in flight and those that ended.
  expect(missing).toEqual(['servelens_client_requests_sent_total']);
});

test('docs/push.md lists every metric', () => {
  const page = readFileSync(new URL('push.md', docs), 'utf8');
  const rows = Object.values(METRICS).map(definition => {
    const { name, kind, description } = definition;
    return `| \`${toPrometheusName(definition)}\` | \`${name}\` | ${kind} | LABELS | ${description} |`;
  });
  const listed = [
    ...page.matchAll(/^\| `(?:servelens|gen_ai)_\w+` \| `[\w.]+` \| (?:counter|gauge|histogram) \|.*$/gm),
  ].map(([row]) => {
    const cells = row.split(' | ');
    return [...cells.slice(0, 3), 'LABELS', ...cells.slice(4)].join(' | ');
  });
  expect(listed).toEqual(rows);
});
