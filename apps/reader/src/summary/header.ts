import type { Run, RunEndpoint } from '@org/analysis';
import { formatCount, formatDuration, formatValue } from '@org/core';
import { toPrintable } from '@org/terminal';
import { truncateEnd, truncateMiddle, wrapText } from '@org/terminal/layout';
import stringWidth from 'string-width';
import type { Screen } from '../screen.ts';

/** With more endpoints, those without problems are only counted. */
const MAX_ENDPOINTS = 4;

/** Renders what ran, for how long, and the state of each endpoint. */
export function renderHeader(run: Run, screen: Screen): string[] {
  const { paint, width } = screen;
  const title =
    run.name === '' ? 'Server metrics' : truncateMiddle(toPrintable(run.name), Math.floor(width / 2));
  return [
    ...appendParts(paint.bold(title), [...describePeriod(run), describeContents(run)], width),
    ...describeCommand(run).map(line => paint.dim(truncateEnd(line, width))),
    ...renderEndpoints(run.endpoints, screen),
    ...run.notes.flatMap(note => wrapText(note, width)).map(line => paint.dim(line)),
  ];
}

function describeContents({ families, seriesCount }: Run): string {
  return `${formatCount(families.size, 'metric')} in ${seriesCount} series`;
}

/** Describes the profiling period and the whole run. */
export function describePeriod({ times, wasCancelled }: Run): string[] {
  const { seconds, profilingSeconds } = times;
  const whole = seconds === undefined ? [] : [formatDuration(seconds)];
  const part = profilingSeconds === undefined ? '' : `profiling ${formatDuration(profilingSeconds)} of `;
  return [...whole.map(text => `${part}${text}`), ...(wasCancelled ? ['interrupted'] : [])];
}

/** Describes the command, or the model and the load if the export does not contain the command. */
function describeCommand({ inputConfig, profile, name }: Run): string[] {
  if (name === '') return [];
  const command = inputConfig.cli_command ?? profile?.run_info?.cli_command;
  if (typeof command === 'string') return [toPrintable(command)];
  const words = ['model', 'model_names', 'url', 'loadgen'].flatMap(key => flattenValues(inputConfig[key]));
  return words.length > 0 ? [toPrintable(words.join(', '))] : [];
}

function flattenValues(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(flattenValues);
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, item]) => flattenValues(item).map(text => `${key} ${text}`));
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
}

function renderEndpoints(endpoints: readonly RunEndpoint[], { paint, width }: Screen): string[] {
  const marks = { ok: paint.green('✓'), impaired: paint.yellow('!'), without_data: paint.red('✗') };
  const few = endpoints.length <= MAX_ENDPOINTS;
  const shown = few ? endpoints : endpoints.filter(({ state }) => state !== 'ok').slice(0, MAX_ENDPOINTS);
  const lines = shown.flatMap(endpoint =>
    appendParts(
      `${marks[endpoint.state]} ${toPrintable(endpoint.url)}`,
      describeEndpoint(endpoint),
      width,
      paint.dim,
    ),
  );
  return few ? lines : [...lines, ...describeOthers(endpoints, shown, marks.ok)];
}

function describeOthers(
  endpoints: readonly RunEndpoint[],
  shown: readonly RunEndpoint[],
  mark: string,
): string[] {
  const well = endpoints.filter(({ state }) => state === 'ok').length;
  const rest = endpoints.length - well - shown.length;
  const more = rest > 0 ? [`${rest} more endpoints had problems; the JSON export lists them`] : [];
  return [
    ...more,
    ...(well > 0 ? [`${mark} ${well} of ${endpoints.length} endpoints without problems`] : []),
  ];
}

/** Appends parts to a name: on the same line, or indented below if they do not fit. */
function appendParts(
  name: string,
  parts: readonly string[],
  width: number,
  style: (text: string) => string = text => text,
): string[] {
  const whole = toPrintable(parts.join(', '));
  if (whole === '') return [name];
  if (stringWidth(name) + 2 + stringWidth(whole) <= width) return [`${name}  ${style(whole)}`];
  return [name, ...wrapText(whole, width, '  ').map(style)];
}

/** Describes the state of an endpoint, in parts. Text from servers is not escaped. */
export function describeEndpoint({ info, state }: RunEndpoint): string[] {
  if (!info) return state === 'without_data' ? ['no data'] : [];
  const parts = info.total_fetches === 0 ? [] : [formatCount(info.total_fetches, 'scrape')];
  if (info.avg_fetch_latency_ms !== undefined)
    parts.push(`${formatValue(info.avg_fetch_latency_ms, 'milliseconds')} each`);
  if (info.scrapes_failed) parts.push(`${info.scrapes_failed} failed`);
  if (info.scrapes_late) parts.push(`${info.scrapes_late} late`);
  if (info.samples_dropped) parts.push(`${info.samples_dropped} samples dropped`);
  if (info.status !== undefined && state !== 'ok') parts.push(info.status.replaceAll('_', ' '));
  if (info.last_error) parts.push(`last error: ${info.last_error}`);
  return parts;
}
