import { formatValue } from '@org/core';
import type { Reconciliation } from '@org/formats';
import { isStall } from '@org/reader';
import colors from 'picocolors';
import { METRIC_NAMES } from './profileTables.ts';
import {
  formatBullet,
  formatInteger,
  formatPercent,
  formatRequests,
  NAME_COLUMNS,
  type ScreenStyle,
} from './screenText.ts';

/** Width of a value column, in terminal columns. */
const CELL_COLUMNS = 12;

/** Renders the comparison of client and server metrics: counts, latencies and findings. */
export function renderReconciliation(reconciliation: Reconciliation, style: ScreenStyle): string[] {
  const paint = colors.createColors(style.color);
  const renderHeader = (title: string, columns: readonly string[]): string =>
    paint.bold(` ${title.padEnd(NAME_COLUMNS - 1)}`) +
    paint.dim(columns.map(column => column.padStart(CELL_COLUMNS)).join(''));
  const { server } = reconciliation;
  // Stalls precede all metrics on the screen.
  const findings = reconciliation.findings.filter(finding => !isStall(finding));
  const latencyRows = [...renderLatencies(reconciliation), ...renderQueue(reconciliation)];
  return [
    renderHeader('Client and server', ['client', server, 'difference']),
    ...renderCounts(reconciliation),
    ...(latencyRows.length > 0
      ? [renderHeader('Mean latency', ['client', server, 'difference', '% of client'])]
      : []),
    ...latencyRows,
    ...describeOtherRequests(reconciliation).flatMap(text => formatBullet(text, style)),
    ...(findings.length === 0
      ? renderAgreement(reconciliation, style)
      : findings.flatMap(({ message }) => formatBullet(message, style))),
  ].map(line => line.trimEnd());
}

function renderCounts({ requests, prompt_tokens, generation_tokens }: Reconciliation): string[] {
  const counts = [
    ['Requests', requests],
    ['Prompt tokens', prompt_tokens],
    ['Generation tokens', generation_tokens],
  ] as const;
  return counts.flatMap(([name, count]) =>
    count
      ? [
          renderRow(name, [
            formatInteger(count.client),
            formatInteger(count.server),
            formatDifference(count.difference),
          ]),
        ]
      : [],
  );
}

function renderLatencies({ latencies }: Reconciliation): string[] {
  return latencies.map(latency => {
    const { client_avg_ms, server_avg_ms, outside_avg_ms, outside_share } = latency;
    return renderRow(findLatencyName(latency), [
      formatValue(client_avg_ms, 'ms'),
      formatValue(server_avg_ms, 'ms'),
      formatValue(outside_avg_ms, 'ms'),
      formatPercent(outside_share),
    ]);
  });
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

function renderQueue({ queue }: Reconciliation): string[] {
  return queue
    ? [renderRow('Server queue', ['', formatValue(queue.avg_ms, 'ms'), '', formatPercent(queue.share)])]
    : [];
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

function describeAgreement({ server, requests, prompt_tokens, generation_tokens }: Reconciliation): string {
  if (!requests) return 'client and server agree';
  const agreement = `${server} counted exactly the requests of the client`;
  const hasMoreTokens = (prompt_tokens?.difference ?? 0) > 0 || (generation_tokens?.difference ?? 0) > 0;
  return hasMoreTokens && requests.client_failed + requests.client_cancelled > 0
    ? `${agreement}; its token counts include failed and cancelled requests`
    : agreement;
}

function renderRow(name: string, values: readonly string[]): string {
  const cells = values.map(value => value.padStart(CELL_COLUMNS)).join('');
  return ` ${name.padEnd(NAME_COLUMNS - 1)}${cells}`;
}

function formatDifference(value: number): string {
  return value === 0 ? '0' : `${value > 0 ? '+' : '-'}${formatInteger(Math.abs(value))}`;
}
