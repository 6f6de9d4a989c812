import { formatPercent } from '@org/core';
import type { ClientState, LiveState, ServerState } from '@org/live';
import { truncateEnd } from '@org/terminal/layout';
import type { Canvas } from './canvas.ts';
import { createLatencyRow, createLevelRow, formatKnown, type Row, renderRows } from './row.ts';
import type { View } from './view.ts';

/** Renders the measurements of the load generator. */
export function renderClient(client: ClientState, view: View, columns: number, canvas: Canvas): string[] {
  const findLimit = (tag: string): ClientState['limits'][number] | undefined =>
    client.limits.find(limit => limit.tag === tag);
  const rows = [
    createLevelRow('requests/s', client.requests, view),
    createLevelRow('tokens/s', client.outputTokens, view),
    createLatencyRow('TTFT', client.timeToFirstToken, view, findLimit('time_to_first_token')),
    createLatencyRow('ITL', client.interTokenLatency, view, findLimit('inter_token_latency')),
    createLatencyRow('latency', client.requestLatency, view, findLimit('request_latency')),
    createLevelRow('in flight', client.inFlight, view),
  ];
  return renderRows('CLIENT', rows, view, columns, canvas);
}

/** Renders the values of the servers, in one panel. */
export function renderServer(state: LiveState, view: View, columns: number, canvas: Canvas): string[] {
  const rows = [...listRequestRows(state.server, view), ...listLoadRows(state.server, view)];
  return [...renderRows('SERVER', rows, view, columns, canvas), renderCounts(state, columns, canvas)];
}

/** Renders the requests that the servers count, in place of the client. */
export function renderServerRequests(
  { server }: LiveState,
  view: View,
  columns: number,
  canvas: Canvas,
): string[] {
  return renderRows('REQUESTS', listRequestRows(server, view), view, columns, canvas);
}

/** Renders the load of the servers, for runs without a client. */
export function renderServerLoad(state: LiveState, view: View, columns: number, canvas: Canvas): string[] {
  const rows = [
    createLevelRow('input tok/s', state.server.promptTokens, view),
    ...listLoadRows(state.server, view),
  ];
  return [...renderRows('SERVER', rows, view, columns, canvas), renderCounts(state, columns, canvas)];
}

function listRequestRows(server: ServerState, view: View): Row[] {
  return [
    createLevelRow('requests/s', server.requests, view),
    createLevelRow('tokens/s', server.outputTokens, view),
    createLatencyRow('TTFT', server.timeToFirstToken, view),
    createLatencyRow('ITL', server.interTokenLatency, view),
    createLatencyRow('latency', server.requestLatency, view),
  ];
}

function listLoadRows({ running, waiting, kvCache, maxRunning }: ServerState, view: View): Row[] {
  return [
    createLevelRow('running', running, view, maxRunning === undefined ? {} : { maximum: maxRunning }),
    createLevelRow('waiting', waiting, view),
    createLevelRow('KV cache', kvCache, view, { unit: '%', maximum: 1 }),
  ];
}

/** Renders the counts of the servers, or the endpoints that do not respond. */
function renderCounts(
  { server, endpoints, unresponsive }: LiveState,
  columns: number,
  { paint }: Canvas,
): string {
  const kinds = [...new Set(endpoints.flatMap(({ servers }) => servers))];
  const counts = [
    ...(kinds.length === 0 ? [] : [kinds.join(', ')]),
    `failed ${formatKnown(server.failures, null)}`,
    `preempted ${formatKnown(server.preemptions, null)}`,
    ...(server.maxRunning === undefined ? [] : [`batch ${formatKnown(server.maxRunning, null)}`]),
    ...(server.cacheHitShare === undefined ? [] : [`cache hits ${formatPercent(server.cacheHitShare)}`]),
  ].join('  ');
  if (unresponsive === undefined) return truncateEnd(counts, columns);
  return paint.red(truncateEnd(`✗ ${unresponsive}  ${counts}`, columns));
}
