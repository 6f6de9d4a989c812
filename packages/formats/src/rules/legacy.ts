import { parseBound, sortNumericKeys } from '../json/numericKeys.ts';
import type { Path } from '../json/path.ts';
import { checkBuckets } from './buckets.ts';
import { checkDuration, checkRateOrder, type Span, UNKNOWN_SPAN } from './counter.ts';
import { checkEndpoints } from './endpoints.ts';
import type { Report } from './findings.ts';
import { checkDistribution } from './gauge.ts';
import { checkAverage, checkEstimates } from './histogram.ts';
import { checkLabels } from './labels.ts';
import { checkTimes } from './time.ts';
import { findDescent } from './tolerance.ts';
import {
  getField,
  getNumber,
  getObject,
  getText,
  listObjectItems,
  listObjects,
  type Values,
} from './values.ts';

const PERCENTILES = ['p50', 'p90', 'p95', 'p99'];

/** Checks constraints on a server metrics document in AIPerf's flat 2025 layout that JSON Schema cannot express. */
export function checkLegacy(report: Report, document: Values): void {
  const summary = getObject(document, 'summary') ?? {};
  const endpoints = checkEndpoints(report, ['summary'], renameScrapeCounts(summary));
  checkTimes(report, ['summary'], summary);
  for (const [, metric, path] of listObjects(getObject(document, 'metrics'), ['metrics'])) {
    const type = getText(metric, 'type') ?? '';
    checkLabels(report, path, metric);
    for (const [series, place] of listObjectItems(metric, 'series', path)) {
      const endpoint = getText(series, 'endpoint');
      if (endpoint !== undefined && !(endpoints.successful?.has(endpoint) ?? true))
        report(
          'endpoint-unlisted',
          [...place, 'endpoint'],
          `is ${endpoint}, which is not in endpoints_successful`,
          endpoint,
        );
      const maxSeconds = endpoints.scrapeSeconds.get(endpoint ?? '') ?? UNKNOWN_SPAN.maxSeconds;
      checkSeries(report, place, type, series, { ...UNKNOWN_SPAN, maxSeconds });
    }
  }
}

/** Renames `scrape_count`, the name in the flat layout, to `total_fetches`, as the endpoint rules expect. */
function renameScrapeCounts(summary: Values): Values {
  const infos = listObjects(getObject(summary, 'endpoint_info'), []).map(([url, info]) => {
    const fetches = getNumber(info, 'scrape_count');
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
      getNumber(series, 'delta'),
      getNumber(series, 'rate_per_second'),
      span,
    );
  } else if (type === 'histogram' || type === 'summary') checkObservations(report, path, type, series, span);
  else checkGauge(report, path, series);
}

function checkGauge(report: Report, path: Path, series: Values): void {
  checkDistribution(report, path, series);
  checkEstimatedFlag(report, path, series, false);
  if (getNumber(series, 'observation_count') !== undefined && getNumber(series, 'max') !== undefined)
    report(
      'legacy-constant',
      [...path, 'observation_count'],
      'must be absent if min and max are set; it marks a gauge that never changed',
    );
}

/** Checks a histogram or summary. */
function checkObservations(report: Report, path: Path, type: string, series: Values, span: Span): void {
  const count = getNumber(series, 'observation_count');
  const buckets = getObject(series, 'buckets');
  const rows = buckets ? checkBuckets(report, [...path, 'buckets'], buckets, count) : [];
  checkAverage(report, path, series, 'avg', 'delta', 'observation_count');
  checkEstimates(report, path, series, PERCENTILES, rows);
  checkEstimatedFlag(report, path, series, type === 'histogram');
  checkDuration(
    report,
    [...path, 'observations_per_second'],
    count,
    getNumber(series, 'observations_per_second'),
    span,
  );
  const quantiles = getObject(series, 'quantiles');
  if (quantiles) checkQuantiles(report, [...path, 'quantiles'], quantiles);
}

/** Checks the field `estimated_percentiles`, which must be true for histograms and false for all other types. */
function checkEstimatedFlag(report: Report, path: Path, series: Values, expected: boolean): void {
  const value = getField(series, 'estimated_percentiles');
  if (typeof value !== 'boolean' || value === expected) return;
  report(
    'legacy-percentiles',
    [...path, 'estimated_percentiles'],
    `is ${value}; percentiles are estimated for histograms only`,
    value,
  );
}

function checkQuantiles(report: Report, path: Path, quantiles: Values): void {
  const values = sortNumericKeys(quantiles).flatMap(key => {
    const value = getNumber(quantiles, key);
    return value === undefined || Number.isNaN(parseBound(key)) ? [] : [[key, value] as const];
  });
  const descent = findDescent(values);
  if (descent)
    report(
      'summary-quantiles',
      [...path, descent.after[0]],
      `is ${descent.after[1]}, less than quantile ${descent.before[0]} (${descent.before[1]}); quantiles must not decrease`,
      descent.after[1],
    );
}
