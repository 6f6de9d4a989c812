import { formatValue } from '@org/core';
import type { ClientSection, Reconciliation } from '../src/report/document.ts';
import { type Cell, type Column, createTextCell } from './column.ts';
import { createDataTable } from './dataTable.ts';
import { createElement, createScrollBox } from './element.ts';
import { createFoldedTable } from './foldedTable.ts';

type Metric = ClientSection['metrics'][number];

const STATS = ['avg', 'min', 'max', 'p50', 'p90', 'p99', 'std'] as const;
/** Names of the units that `formatValue` converts, such as ms to s. Other units are shown in the unit column. */
const UNIT_NAMES: Readonly<Record<string, string>> = {
  ms: 'milliseconds',
  sec: 'seconds',
  ns: 'nanoseconds',
};

/** Creates the table of client metrics and, if available, their reconciliation with server metrics, both folded. */
export function createClientSections(client: ClientSection): HTMLElement[] {
  const { reconciliation } = client;
  return [
    createFoldedTable('client', 'Client metrics', createClientTable(client)),
    ...(reconciliation ? [createReconciliationSection(reconciliation)] : []),
  ];
}

/** Creates the table of client metrics. */
export function createClientTable({ metrics }: Pick<ClientSection, 'metrics'>): HTMLElement {
  const columns: Column<Metric>[] = [
    { name: 'metric', cell: ({ name }) => createTextCell(name) },
    ...STATS.map(
      (name): Column<Metric> => ({
        name,
        isNumber: true,
        cell: ({ stats, unit }) => createStatCell(stats[name], unit),
      }),
    ),
    { name: 'unit', cell: ({ unit }) => ({ text: UNIT_NAMES[unit] ? '' : unit, sort: unit }) },
  ];
  return createDataTable('client-table', 'Client metrics', columns, metrics);
}

function createStatCell(value: number | undefined, unit: string): Cell {
  if (value === undefined) return { text: '', sort: null };
  return { text: formatValue(value, UNIT_NAMES[unit] ?? null), sort: value };
}

function createReconciliationSection(reconciliation: Reconciliation): HTMLElement {
  const { server, queue, findings } = reconciliation;
  const headers = ['client', server, 'difference'].map(text =>
    createElement('th', { scope: 'col', class: 'number' }, text),
  );
  return createFoldedTable(
    'client-and-server',
    'Client and server',
    findings.length === 0
      ? createElement('p', {}, 'Client and server counts agree.')
      : createElement('ul', {}, ...findings.map(({ message }) => createElement('li', {}, message))),
    createScrollBox(
      'Client and server metrics',
      createElement(
        'table',
        { class: 'narrow' },
        createElement('thead', {}, createElement('tr', {}, createElement('td'), ...headers)),
        createElement('tbody', {}, ...listReconciliationRows(reconciliation).map(createReconciliationRow)),
      ),
    ),
    ...(queue
      ? [
          createElement(
            'p',
            {},
            `Requests spent ${formatValue(queue.avg_ms, 'milliseconds')} in the server's queue on average, ${formatPercent(queue.share)} of their latency.`,
          ),
        ]
      : []),
  );
}

/** A row of the reconciliation table: the values of the client and the server, and their difference. */
export interface ReconciliationRow {
  readonly name: string;
  readonly cells: readonly [client: string, server: string, difference: string];
}

/** Lists the counts and latencies that both the client and the server measured. */
export function listReconciliationRows({
  requests,
  prompt_tokens,
  generation_tokens,
  latencies,
}: Reconciliation): ReconciliationRow[] {
  const counts = { requests, 'prompt tokens': prompt_tokens, 'generation tokens': generation_tokens };
  const formatMs = (value: number): string => formatValue(value, 'milliseconds');
  return [
    ...Object.entries(counts).flatMap(([name, count]): ReconciliationRow[] =>
      count
        ? [
            {
              name: count.counted_by ? `${name}, counted by ${count.counted_by}` : name,
              cells: [
                formatInteger(count.client),
                formatInteger(count.server),
                formatInteger(count.difference),
              ],
            },
          ]
        : [],
    ),
    ...latencies.map(
      (latency): ReconciliationRow => ({
        name: `${formatLatencyName(latency.metric)}, average`,
        cells: [
          formatMs(latency.client_avg_ms),
          formatMs(latency.server_avg_ms),
          `${formatMs(latency.outside_avg_ms)} (${formatPercent(latency.outside_share)})`,
        ],
      }),
    ),
  ];
}

/**
 * Formats the name of a compared latency. The inter-token latency of the servers is the mean over all tokens, which
 * differs from the client metric of that name.
 */
function formatLatencyName(metric: string): string {
  return metric === 'inter_token_latency' ? 'gap between tokens' : metric;
}

function createReconciliationRow({ name, cells }: ReconciliationRow): HTMLElement {
  return createElement(
    'tr',
    {},
    createElement('th', { scope: 'row' }, name),
    ...cells.map(text => createElement('td', { class: 'number' }, text)),
  );
}

function formatInteger(count: number): string {
  return count.toLocaleString('en');
}

function formatPercent(ratio: number): string {
  return `${Number((ratio * 100).toPrecision(2))}%`;
}
