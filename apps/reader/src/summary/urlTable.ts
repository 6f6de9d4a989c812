import { explainUnknownGoodput, listUrlMetrics, type Run, sum, type UrlMetrics } from '@org/analysis';
import { formatValue } from '@org/core';
import { toPrintable } from '@org/terminal';
import { countColumns, padStart, renderNamed, wrapText } from '@org/terminal/layout';
import type { Screen } from '../screen.ts';

/** The columns of the table of URLs, after the URL. */
export const URL_HEADS: readonly string[] = [
  ...['requests', 'failed', 'goodput'],
  ...['latency', 'p99', 'TTFT', 'p99'],
];

/** The maximum number of URLs that the summary shows. `--json` has all. */
const MAX_URLS = 8;

const MIN_URL_COLUMNS = 20;
const MAX_URL_COLUMNS = 40;
const VALUE_COLUMNS = 10;

/** Renders the client's metrics by URL, if requests were sent to several; empty if `freeLines` is too small. */
export function renderUrls(
  run: Pick<Run, 'profile' | 'endpoints'>,
  screen: Screen,
  freeLines: number,
): string[] {
  const { paint, width } = screen;
  const unknown = explainUnknownGoodput(run);
  const notes = unknown === undefined ? [] : wrapText(unknown, width - 1).map(line => paint.dim(` ${line}`));
  const lines = ['', ...renderRows(listUrlMetrics(run), screen), ...notes];
  return lines.length > 1 && lines.length <= freeLines ? lines : [];
}

function renderRows(urls: readonly UrlMetrics[], { paint, width }: Screen): string[] {
  if (urls.length === 0) return [];
  const shown = urls.slice(0, MAX_URLS).map(url => ({
    name: url.url.replace(/^https?:\/\//, ''),
    values: formatUrl(url),
  }));
  const more = urls.length - shown.length;
  const longest = Math.max(MIN_URL_COLUMNS, ...shown.map(({ name }) => countColumns(toPrintable(name)) + 2));
  const rows = [URL_HEADS, ...shown.map(({ values }) => values)];
  const layout = computeLayout(rows, Math.min(longest, MAX_URL_COLUMNS), width);
  const format = (values: readonly string[]): string =>
    values.map((value, i) => padStart(value, layout.valueWidths[i]!)).join('');
  const names = { nameWidth: layout.nameWidth, width };
  return [
    ...renderNamed('Requests by URL', paint.dim(format(URL_HEADS)), { ...names, paintName: paint.bold }),
    ...shown.flatMap(({ name, values }) => renderNamed(name, format(values), names)),
    ...(more > 0 ? [paint.dim(` ${more} more URLs; --json lists all`)] : []),
  ];
}

/** The widths of the columns of the table. */
interface UrlLayout {
  readonly nameWidth: number;
  readonly valueWidths: readonly number[];
}

/** Computes widths that fit into `width`: wide columns, columns as wide as their values, or URLs on separate lines. */
function computeLayout(rows: readonly (readonly string[])[], nameWidth: number, width: number): UrlLayout {
  const sizes = URL_HEADS.map((_, i) => rows.reduce((max, row) => Math.max(max, countColumns(row[i]!)), 0));
  const narrow = sizes.map(size => size + 1);
  const wide = sizes.map(size => Math.max(size + 1, VALUE_COLUMNS + 1));
  for (const valueWidths of [wide, narrow])
    if (nameWidth + sum(valueWidths) <= width) return { nameWidth, valueWidths };
  return { nameWidth: 1, valueWidths: narrow };
}

/** Formats the metrics of a URL as the cells of a table, in the order of `URL_HEADS`. */
export function formatUrl({ requests, failed, goodput, latency, firstToken }: UrlMetrics): string[] {
  return [
    String(requests),
    String(failed),
    goodput === undefined ? '' : `${Number(goodput.toPrecision(3))}/s`,
    ...[latency?.avg, latency?.p99, firstToken?.avg, firstToken?.p99].map(formatMs),
  ];
}

function formatMs(ms: number | undefined): string {
  return ms === undefined ? '' : formatValue(Number(ms.toPrecision(3)), 'milliseconds');
}
