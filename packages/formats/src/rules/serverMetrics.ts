import type { Path } from '../json/path.ts';
import { checkCounter, findSpan } from './counter.ts';
import { checkEndpoints, type Endpoints } from './endpoints.ts';
import type { Report } from './findings.ts';
import { checkDistribution } from './gauge.ts';
import { checkHistogram } from './histogram.ts';
import { checkLabels } from './labels.ts';
import { checkPhaseTimes } from './phases.ts';
import { checkTimes, getPhaseRange, type Period } from './time.ts';
import { checkTimeslices } from './timeslices.ts';
import { getObject, getText, listObjectItems, listObjects, type Values } from './values.ts';

/** Checks constraints on a server metrics document that JSON Schema cannot express. */
export function checkServerMetrics(report: Report, document: Values): void {
  const summary = getObject(document, 'summary') ?? {};
  const endpoints = checkEndpoints(report, ['summary'], summary);
  const period = extendToLastFetch(checkTimes(report, ['summary'], summary), endpoints);
  for (const [, metric, path] of listObjects(getObject(document, 'metrics'), ['metrics']))
    checkMetric(report, path, metric, endpoints, period);
  for (const [, metric, path] of listObjects(getObject(document, 'warmup_metrics'), ['warmup_metrics']))
    checkMetric(report, path, metric, endpoints, getPhaseRange(summary, 'warmup'));
  const ranges = getObject(summary, 'phase_time_ranges');
  for (const [, range, path] of listObjects(ranges, ['summary', 'phase_time_ranges']))
    checkPhaseTimes(report, path, range);
}

/** Extends the period to the final scrape, whose response can arrive after `end_time`. */
function extendToLastFetch(period: Period, { lastFetchNs }: Endpoints): Period {
  const { startNs, endNs } = period;
  return endNs !== undefined && lastFetchNs > endNs ? { startNs, endNs: lastFetchNs } : period;
}

/** Checks all series of a metric from a JSON or CSV file. `endpoints` is undefined for CSV, which has no summary. */
export function checkMetric(
  report: Report,
  path: Path,
  metric: Values,
  endpoints: Endpoints | undefined,
  period: Period,
): void {
  const type = getText(metric, 'type') ?? '';
  checkLabels(report, path, metric);
  for (const [series, place] of listObjectItems(metric, 'series', path)) {
    const url = getText(series, 'endpoint_url');
    if (endpoints && url !== undefined) checkOrigin(report, place, url, endpoints);
    checkStats(report, place, type, series, endpoints?.scrapeSeconds.get(url ?? ''));
    checkTimeslices(report, place, type, series, period);
  }
}

/** Checks that the endpoint of a series is in `endpoints_successful`. */
function checkOrigin(report: Report, path: Path, url: string, endpoints: Endpoints): void {
  if (endpoints.successful?.has(url) ?? true) return;
  report(
    'endpoint-unlisted',
    [...path, 'endpoint_url'],
    `is ${url}, which is not in endpoints_successful`,
    url,
  );
}

function checkStats(
  report: Report,
  path: Path,
  type: string,
  series: Values,
  scrapeSeconds: number | undefined,
): void {
  const stats = getObject(series, 'stats');
  if (!stats) return;
  if (type === 'histogram') checkHistogram(report, path, series, scrapeSeconds);
  else if (type === 'counter')
    checkCounter(report, [...path, 'stats'], stats, findSpan(series, 'total', scrapeSeconds));
  else checkDistribution(report, [...path, 'stats'], stats);
}
