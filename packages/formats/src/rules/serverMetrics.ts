import type { Path } from '../json/path.ts';
import { checkCounter } from './counter.ts';
import { checkEndpoints, type Endpoints } from './endpoints.ts';
import type { Report } from './findings.ts';
import { checkDistribution } from './gauge.ts';
import { checkHistogram } from './histogram.ts';
import { checkLabels } from './labels.ts';
import { spanOfSeries } from './span.ts';
import { checkTimes, type Period } from './time.ts';
import { checkTimeslices } from './timeslices.ts';
import { objectAt, objectItems, objectsIn, textAt, type Values } from './values.ts';

/** What a schema cannot say about a server metrics document 1.0: whether its numbers can be true together. */
export function checkServerMetrics(report: Report, document: Values): void {
  const summary = objectAt(document, 'summary') ?? {};
  const endpoints = checkEndpoints(report, ['summary'], summary);
  const period = widened(checkTimes(report, ['summary'], summary), endpoints);
  for (const [, metric, path] of objectsIn(objectAt(document, 'metrics'), ['metrics']))
    checkMetric(report, path, metric, endpoints, period);
}

/** The period ends with the final scrape, which may be answered after `end_time`. */
function widened(period: Period, { lastFetchNs }: Endpoints): Period {
  const { startNs, endNs } = period;
  return endNs !== undefined && lastFetchNs > endNs ? { startNs, endNs: lastFetchNs } : period;
}

/** All series of one metric, also of one that was read from a CSV. */
export function checkMetric(
  report: Report,
  path: Path,
  metric: Values,
  endpoints: Endpoints | undefined,
  period: Period,
): void {
  const type = textAt(metric, 'type') ?? '';
  checkLabels(report, path, metric);
  for (const [series, place] of objectItems(metric, 'series', path)) {
    const url = textAt(series, 'endpoint_url');
    if (endpoints && url !== undefined) checkOrigin(report, place, url, endpoints);
    checkStats(report, place, type, series, endpoints?.spans.get(url ?? ''));
    checkTimeslices(report, place, type, series, period);
  }
}

function checkOrigin(report: Report, path: Path, url: string, endpoints: Endpoints): void {
  if (endpoints.successful?.has(url) ?? true) return;
  report(
    'endpoint-unlisted',
    [...path, 'endpoint_url'],
    `is ${url}, which endpoints_successful does not have`,
    url,
  );
}

function checkStats(
  report: Report,
  path: Path,
  type: string,
  series: Values,
  scraped: number | undefined,
): void {
  const stats = objectAt(series, 'stats');
  if (!stats) return;
  if (type === 'histogram') checkHistogram(report, path, series, scraped);
  else if (type === 'counter')
    checkCounter(report, [...path, 'stats'], stats, spanOfSeries(series, 'total', scraped));
  else checkDistribution(report, [...path, 'stats'], stats);
}
