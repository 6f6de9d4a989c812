import { formatValue } from '@org/core';
import type { ComparedRequests, ComparedTokens, Reconciliation } from '@org/formats';
import { isStall } from '@org/reader';
import { renderNamed } from '@org/terminal/layout';
import colors from 'picocolors';
import { METRIC_NAMES } from './profileTables.ts';
import {
  findNameColumns,
  formatBullet,
  formatInteger,
  formatPercent,
  formatRequests,
  type ScreenStyle,
} from './screenText.ts';

/** Minimum width of a value column, in terminal columns. */
const CELL_COLUMNS = 12;

/** A line of a table: its title and its cells. */
type Row = readonly [title: string, ...cells: string[]];

/** Renders the comparison of client and server metrics: counts, latencies and findings. */
export function renderReconciliation(reconciliation: Reconciliation, style: ScreenStyle): string[] {
  const paint = colors.createColors(style.color);
  const renderRow = createRowRenderer(reconciliation, style);
  const renderTable = (header: Row, rows: readonly Row[]): string[] => {
    return [...renderRow(header, paint.bold, paint.dim), ...rows.flatMap(row => renderRow(row))];
  };
  const { server, findings } = reconciliation;
  const tokenServer = findTokenServer(reconciliation);
  const requests = listRequests(reconciliation);
  const tokens = listTokens(reconciliation);
  const hasOwnTokens = tokenServer === server;
  const latencies = [...listLatencies(reconciliation), ...listQueue(reconciliation)];
  // Stalls precede all metrics on the screen.
  const others = findings.filter(finding => !isStall(finding));
  return [
    ...renderTable(
      ['Client and server', 'client', server, 'difference'],
      hasOwnTokens ? [...requests, ...tokens] : requests,
    ),
    ...(hasOwnTokens ? [] : renderTable(['Tokens', 'client', tokenServer, 'difference'], tokens)),
    ...(latencies.length > 0
      ? renderTable(['Mean latency', 'client', server, 'difference', '% of client'], latencies)
      : []),
    ...describeOtherRequests(reconciliation).flatMap(text => formatBullet(text, style)),
    ...(others.length === 0
      ? renderAgreement(reconciliation, style)
      : others.flatMap(({ message }) => formatBullet(message, style))),
  ];
}

/** Finds the server whose tokens are compared. It may be one behind the server of the requests. */
function findTokenServer({ server, prompt_tokens, generation_tokens }: Reconciliation): string {
  return (generation_tokens ?? prompt_tokens)?.counted_by ?? server;
}

function listRequests({ requests }: Reconciliation): Row[] {
  return requests ? [formatCounts('Requests', requests)] : [];
}

function listTokens({ prompt_tokens, generation_tokens }: Reconciliation): Row[] {
  return [
    ...(prompt_tokens ? [formatCounts('Prompt tokens', prompt_tokens)] : []),
    ...(generation_tokens ? [formatCounts('Generation tokens', generation_tokens)] : []),
  ];
}

function formatCounts(name: string, { client, server, difference }: ComparedTokens | ComparedRequests): Row {
  return [name, formatInteger(client), formatInteger(server), formatDifference(difference)];
}

function listLatencies({ latencies }: Reconciliation): Row[] {
  return latencies.map(latency => [
    findLatencyName(latency),
    formatValue(latency.client_avg_ms, 'ms'),
    formatValue(latency.server_avg_ms, 'ms'),
    formatValue(latency.outside_avg_ms, 'ms'),
    formatPercent(latency.outside_share),
  ]);
}

/** The maximum relative difference between the requests of two means that is not reported. */
const MAX_REQUEST_DIFFERENCE = 0.05;

/** Lists the latencies whose means cover different requests on client and servers, so that their difference says little. */
function describeOtherRequests({ server, latencies }: Reconciliation): string[] {
  return latencies.flatMap(latency => {
    const { client_count: client, server_count: counted } = latency;
    if (client === undefined || counted === undefined) return [];
    if (Math.abs(counted - client) <= MAX_REQUEST_DIFFERENCE * client) return [];
    return [
      `${findLatencyName(latency)}: the mean of ${server} covers ${formatRequests(counted)}, that of the client ${formatInteger(client)}`,
    ];
  });
}

/**
 * Returns the name of a latency. A mean over all tokens has no percentiles, and differs from the inter-token latency
 * of the client, which is a mean over requests.
 */
function findLatencyName({ metric, client_p50_ms: median }: Reconciliation['latencies'][number]): string {
  if (metric === 'inter_token_latency' && median === undefined) return 'Gap between Tokens';
  return METRIC_NAMES.get(metric) ?? metric;
}

function listQueue({ queue }: Reconciliation): Row[] {
  return queue ? [['Server queue', '', formatValue(queue.avg_ms, 'ms'), '', formatPercent(queue.share)]] : [];
}

/** Renders the agreement of client and server. Returns no lines if neither counted a request. */
function renderAgreement(reconciliation: Reconciliation, style: ScreenStyle): string[] {
  const { requests, prompt_tokens, generation_tokens } = reconciliation;
  if (requests?.client === 0 && requests.server === 0) return [];
  // Without a count of requests, it is unknown whose tokens a difference contains.
  if (!requests && [prompt_tokens, generation_tokens].some(count => count && count.difference !== 0))
    return [];
  return formatBullet(describeAgreement(reconciliation), style, '✓');
}

function describeAgreement(reconciliation: Reconciliation): string {
  const { server, requests, prompt_tokens, generation_tokens } = reconciliation;
  if (!requests) return 'client and server agree';
  const agreement = `${server} counted exactly the requests of the client`;
  const tokenServer = findTokenServer(reconciliation);
  const owner = tokenServer === server ? 'its' : 'the';
  const hasMoreTokens = (prompt_tokens?.difference ?? 0) > 0 || (generation_tokens?.difference ?? 0) > 0;
  return hasMoreTokens && requests.client_failed + requests.client_cancelled > 0
    ? `${agreement}; ${owner} token counts include failed and cancelled requests`
    : agreement;
}

type Paint = (text: string) => string;

const keep: Paint = text => text;

/** The number of columns of the widest table, without titles and the column of the servers. */
const MAX_CELLS = 3;

/** Creates a function that renders a row. The column of the servers is as wide as their names. */
function createRowRenderer(
  reconciliation: Reconciliation,
  { width }: ScreenStyle,
): (row: Row, paintName?: Paint, paintCells?: Paint) => string[] {
  const names = [reconciliation.server, findTokenServer(reconciliation)];
  const serverColumns = Math.max(CELL_COLUMNS, ...names.map(name => name.length + 2));
  const nameWidth = findNameColumns(serverColumns + MAX_CELLS * CELL_COLUMNS, width);
  return ([title, ...cells], paintName = keep, paintCells = keep) => {
    const padded = cells.map((cell, index) => cell.padStart(index === 1 ? serverColumns : CELL_COLUMNS));
    return renderNamed(title, paintCells(padded.join('')), { nameWidth, width, paintName });
  };
}

function formatDifference(value: number): string {
  return value === 0 ? '0' : `${value > 0 ? '+' : '-'}${formatInteger(Math.abs(value))}`;
}
