import { explainUnknownGoodput, listUrlMetrics, type Run, type UrlMetrics } from '@org/analysis';
import { formatValue } from '@org/core';
import { toPrintable } from '@org/terminal';
import { renderTable, truncateMiddle, wrapText } from '@org/terminal/layout';
import type { Screen } from '../screen.ts';

/** The columns of the table of URLs, after the URL. */
export const URL_HEADS: readonly string[] = [
  ...['requests', 'failed', 'goodput'],
  ...['latency', 'p99', 'TTFT', 'p99'],
];

/** The maximum number of URLs that the summary shows. `--json` has all. */
const MAX_URLS = 8;

const MIN_URL_COLUMNS = 20;
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
  const urlColumns = Math.max(
    MIN_URL_COLUMNS,
    Math.min(40, width - URL_HEADS.length * (VALUE_COLUMNS + 2) - 1),
  );
  const shown = urls.slice(0, MAX_URLS);
  const more = urls.length - shown.length;
  return [
    ...renderTable(
      [
        { width: urlColumns, align: 'left' },
        ...URL_HEADS.map(() => ({ width: VALUE_COLUMNS + 1, align: 'right' }) as const),
      ],
      [
        ['Requests by URL', ...URL_HEADS].map((head, i) => (i === 0 ? paint.bold(head) : paint.dim(head))),
        ...shown.map(url => [
          truncateMiddle(toPrintable(url.url.replace(/^https?:\/\//, '')), urlColumns - 1),
          ...formatUrl(url),
        ]),
      ],
      { paddingLeft: 1 },
    ).split('\n'),
    ...(more > 0 ? [paint.dim(` ${more} more URLs; --json lists all`)] : []),
  ];
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
