import { boundOf, numericKeys } from '../json/numericKeys.ts';
import type { Path } from '../json/path.ts';
import { checkBuckets } from './buckets.ts';
import { checkDuration, checkRateOrder } from './counter.ts';
import { checkEndpoints } from './endpoints.ts';
import type { Report } from './findings.ts';
import { checkDistribution } from './gauge.ts';
import { checkAverage, checkEstimates } from './histogram.ts';
import { checkLabels } from './labels.ts';
import { anySpan, type Span } from './span.ts';
import { checkTimes } from './time.ts';
import { firstDescent } from './tolerance.ts';
import { field, numberAt, objectAt, objectItems, objectsIn, textAt, type Values } from './values.ts';

const percentiles = ['p50', 'p90', 'p95', 'p99'];

/** What a schema cannot say about the flat layout. Seed 003. */
export function checkLegacy(report: Report, document: Values): void {
  const summary = objectAt(document, 'summary') ?? {};
  const endpoints = checkEndpoints(report, ['summary'], withFetches(summary));
  checkTimes(report, ['summary'], summary);
  for (const [, metric, path] of objectsIn(objectAt(document, 'metrics'), ['metrics'])) {
    const type = textAt(metric, 'type') ?? '';
    checkLabels(report, path, metric);
    for (const [series, place] of objectItems(metric, 'series', path)) {
      const endpoint = textAt(series, 'endpoint');
      if (endpoint !== undefined && !(endpoints.successful?.has(endpoint) ?? true))
        report(
          'endpoint-unlisted',
          [...place, 'endpoint'],
          `is ${endpoint}, which endpoints_successful does not have`,
          endpoint,
        );
      const atMost = endpoints.spans.get(endpoint ?? '') ?? anySpan.atMost;
      checkSeries(report, place, type, series, { ...anySpan, atMost });
    }
  }
}

/** The rules of the endpoints read total_fetches; here it is called scrape_count. */
function withFetches(summary: Values): Values {
  const infos = objectsIn(objectAt(summary, 'endpoint_info'), []).map(([url, info]) => {
    const fetches = numberAt(info, 'scrape_count');
    return [url, fetches === undefined ? info : { ...info, total_fetches: fetches }] as const;
  });
  return { ...summary, endpoint_info: Object.fromEntries(infos) };
}

function checkSeries(report: Report, path: Path, type: string, series: Values, span: Span): void {
  if (type === 'counter') {
    checkRateOrder(report, path, series);
    checkDuration(
      report,
      [...path, 'rate_per_second'],
      numberAt(series, 'delta'),
      numberAt(series, 'rate_per_second'),
      span,
    );
  } else if (type === 'histogram' || type === 'summary') checkObserved(report, path, type, series, span);
  else checkGauge(report, path, series);
}

function checkGauge(report: Report, path: Path, series: Values): void {
  checkDistribution(report, path, series);
  checkEstimated(report, path, series, false);
  if (numberAt(series, 'observation_count') !== undefined && numberAt(series, 'max') !== undefined)
    report(
      'legacy-constant',
      [...path, 'observation_count'],
      'stands beside min and max; only a gauge that never changed has it',
    );
}

function checkObserved(report: Report, path: Path, type: string, series: Values, span: Span): void {
  const count = numberAt(series, 'observation_count');
  const buckets = objectAt(series, 'buckets');
  const rows = buckets ? checkBuckets(report, [...path, 'buckets'], buckets, count) : [];
  checkAverage(report, path, series, 'avg', 'delta', 'observation_count');
  checkEstimates(report, path, series, percentiles, rows);
  checkEstimated(report, path, series, type === 'histogram');
  checkDuration(
    report,
    [...path, 'observations_per_second'],
    count,
    numberAt(series, 'observations_per_second'),
    span,
  );
  const quantiles = objectAt(series, 'quantiles');
  if (quantiles) checkQuantiles(report, [...path, 'quantiles'], quantiles);
}

function checkEstimated(report: Report, path: Path, series: Values, expected: boolean): void {
  const value = field(series, 'estimated_percentiles');
  if (typeof value !== 'boolean' || value === expected) return;
  report(
    'legacy-percentiles',
    [...path, 'estimated_percentiles'],
    `is ${value}; only percentiles of histograms are estimated`,
    value,
  );
}

function checkQuantiles(report: Report, path: Path, quantiles: Values): void {
  const values = numericKeys(quantiles).flatMap(key => {
    const value = numberAt(quantiles, key);
    return value === undefined || Number.isNaN(boundOf(key)) ? [] : [[key, value] as const];
  });
  const descent = firstDescent(values);
  if (descent)
    report(
      'summary-quantiles',
      [...path, descent.after[0]],
      `is ${descent.after[1]}, less than quantile ${descent.before[0]} (${descent.before[1]}); quantiles ascend`,
      descent.after[1],
    );
}
