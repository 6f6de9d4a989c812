import { CSV_SECTIONS } from '../csv/columns.ts';
import { readServerMetricsCsv } from '../csv/readServerMetricsCsv.ts';
import type { Path } from '../json/path.ts';
import type { RuleId } from '../rules/catalog.ts';
import type { Findings, Report } from '../rules/findings.ts';
import { checkMetric } from '../rules/serverMetrics.ts';
import { asObject } from '../rules/values.ts';

/** Rules that a valid file can violate if its values are rounded to four decimals, as AIPerf does. */
const EXACT_RULES: ReadonlySet<RuleId> = new Set<RuleId>([
  'gauge-average',
  'gauge-spread',
  'counter-idle',
  'counter-rates',
  'rate-duration',
  'histogram-average',
  'histogram-rates',
  'percentiles-range',
]);

/** Statistics that every row of a section must have. */
const REQUIRED_STATS: Readonly<Record<string, readonly string[]>> = {
  gauge: ['avg', 'min', 'max', 'std'],
  unknown: ['avg', 'min', 'max', 'std'],
  counter: ['total', 'rate'],
  histogram: ['count'],
};

/**
 * Validates server_metrics_export.csv, in either layout. Returns the schema version that the file states or
 * implies.
 */
export function validateServerMetricsCsv(findings: Findings, text: string): string {
  const { view, isRounded, problems, lines } = readServerMetricsCsv(text);
  for (const { rule, line, place, message, value } of problems)
    findings.reportAt(rule, line, place, message, value);
  for (const [name, metric] of Object.entries(view.metrics)) {
    const report = reportInRows(findings, name, lines.get(name) ?? []);
    const path = ['metrics', name];
    metric.series.forEach((series, index) => {
      const place = [...path, 'series', index, 'stats'];
      if (!name.endsWith('_info')) checkRequired(report, place, metric.type, series.stats);
    });
    const reportUnlessRounded: Report = (rule, ...rest) => {
      if (!isRounded || !EXACT_RULES.has(rule)) report(rule, ...rest);
    };
    checkMetric(reportUnlessRounded, path, asObject(metric)!, undefined, {
      startNs: undefined,
      endNs: undefined,
    });
  }
  if (problems.length === 0 && Object.keys(view.metrics).length === 0)
    findings.reportAt(
      'csv-sections',
      1,
      'the file',
      `has none of the sections ${CSV_SECTIONS.join(', ')}, info`,
    );
  return view.schema_version;
}

/** Checks that a row has the required statistics of its metric type. */
function checkRequired(report: Report, path: Path, type: string, stats: object): void {
  for (const key of REQUIRED_STATS[type] ?? [])
    if (!Object.hasOwn(stats, key))
      report('field-missing', [...path, key], `is empty; a ${type} must have this value`);
}

/**
 * Returns a function that reports findings about a metric of the converted document at the lines and columns
 * of the file.
 */
function reportInRows(findings: Findings, name: string, lines: readonly number[]): Report {
  return (rule, path, message, value) => {
    const index = path.indexOf('series');
    const line = lines[Number(path[index + 1])] ?? lines[0] ?? 1;
    const column = path.slice(index + 2).filter(step => step !== 'stats');
    const place = column.length > 0 ? `line ${line}, column ${column.join(' ')}` : `line ${line}`;
    findings.reportAt(rule, line, `${place} (${name})`, message, value);
  };
}
