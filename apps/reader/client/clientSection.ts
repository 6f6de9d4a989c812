import { formatValue } from '@org/core';
import type { ClientAndServer, ClientSection } from '../src/report/document.ts';
import { type Column, dataTable } from './dataTable.ts';
import { element, section } from './element.ts';

type Metric = ClientSection['metrics'][number];

/** Units of profile exports that numbers are scaled by. */
const UNITS: Readonly<Record<string, string>> = { ms: 'milliseconds', sec: 'seconds', ns: 'nanoseconds' };

/** The metrics of the client, and how they compare with the servers' own counts. */
export function clientSections({ metrics, reconciliation }: ClientSection): HTMLElement[] {
  const figures = ['avg', 'min', 'max', 'p50', 'p90', 'p99', 'std'];
  const columns: Column<Metric>[] = [
    { name: 'metric', cell: ({ name }) => ({ text: name, sort: name }) },
    ...figures.map(
      (name): Column<Metric> => ({
        name,
        isNumber: true,
        cell: metric => shown(metric.figures[name], metric.unit),
      }),
    ),
    { name: 'unit', cell: ({ unit }) => ({ text: UNITS[unit] ? '' : unit, sort: unit }) },
  ];
  return [
    section('client', 'Client', dataTable('client-table', 'Client metrics', columns, metrics)),
    ...(reconciliation ? [comparedSection(reconciliation)] : []),
  ];
}

function shown(value: number | undefined, unit: string): { text: string; sort: number | null } {
  if (value === undefined) return { text: '', sort: null };
  return { text: formatValue(value, UNITS[unit] ?? null), sort: value };
}

interface Line {
  readonly what: string;
  readonly client: string;
  readonly server: string;
  readonly difference: string;
}

function comparedSection(compared: ClientAndServer): HTMLElement {
  const { server, queue, findings } = compared;
  const lines = [...counted(compared), ...timed(compared)];
  const cells = ({ what, client, server, difference }: Line): HTMLElement =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, what),
      ...[client, server, difference].map(text => element('td', { class: 'number' }, text)),
    );
  const heads = ['', 'client', server, 'difference'].map(text =>
    text === '' ? element('td') : element('th', { scope: 'col', class: 'number' }, text),
  );
  return section(
    'client-and-server',
    'Client and server',
    ...(findings.length === 0
      ? [element('p', {}, 'The counts of client and server agree.')]
      : [element('ul', {}, ...findings.map(({ message }) => element('li', {}, message)))]),
    element(
      'div',
      { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Client and server as a table' },
      element(
        'table',
        { class: 'narrow' },
        element('thead', {}, element('tr', {}, ...heads)),
        element('tbody', {}, ...lines.map(cells)),
      ),
    ),
    ...(queue
      ? [
          element(
            'p',
            {},
            `Requests spent ${formatValue(queue.avg_ms, 'milliseconds')} in the server's queue on average, ${share(queue.share)} of their latency.`,
          ),
        ]
      : []),
  );
}

function counted({ requests, prompt_tokens, generation_tokens }: ClientAndServer): Line[] {
  const named = { requests, 'prompt tokens': prompt_tokens, 'generation tokens': generation_tokens };
  return Object.entries(named).flatMap(([what, count]) =>
    count
      ? [
          {
            what,
            client: whole(count.client),
            server: whole(count.server),
            difference: whole(count.difference),
          },
        ]
      : [],
  );
}

function timed({ latencies }: ClientAndServer): Line[] {
  const ms = (value: number): string => formatValue(value, 'milliseconds');
  return latencies.map(({ metric, client_avg_ms, server_avg_ms, outside_avg_ms, outside_share }) => ({
    what: `${metric}, average`,
    client: ms(client_avg_ms),
    server: ms(server_avg_ms),
    difference: `${ms(outside_avg_ms)} (${share(outside_share)})`,
  }));
}

function whole(count: number): string {
  return count.toLocaleString('en');
}

function share(part: number): string {
  return `${Number((part * 100).toPrecision(2))}%`;
}
