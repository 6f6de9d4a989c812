import { CSV_SECTIONS } from '../csv/columns.ts';
import { readServerMetricsCsv } from '../csv/readServerMetricsCsv.ts';
import { type CsvRow, locateRow, WHOLE_FILE } from '../csv/rows.ts';
import type { RuleId } from '../generated/ruleSeverities.ts';
import type { Findings, Report } from '../rules/findings.ts';
import { checkMetric } from '../rules/serverMetrics.ts';
import { asObject } from '../rules/values.ts';
import { checkSchema } from '../schema/checkSchema.ts';
import { loadBlockValidator } from '../schema/schemas.ts';

/**
 * Rules that a valid file can violate if its values are rounded to four decimals, as AIPerf does. Rounding keeps
 * the order of values, so rules about their order apply.
 */
const EXACT_RULES: ReadonlySet<RuleId> = new Set<RuleId>([
  'gauge-spread',
  'counter-idle',
  'rate-duration',
  'histogram-average',
  'histogram-rates',
  'percentiles-range',
]);

/**
 * Validates server_metrics_export.csv, in either layout. Returns the schema version that the file states or
 * implies.
 */
export async function validateServerMetricsCsv(findings: Findings, text: string): Promise<string> {
  const { view, isRounded, problems, rows } = readServerMetricsCsv(text);
  for (const { rule, position, message, value } of problems)
    findings.reportAt(rule, position, message, value);
  const validator = await loadBlockValidator('server-metrics.1.1');
  for (const [name, metric] of Object.entries(view.metrics)) {
    const report = reportInRows(findings, name, rows.get(name) ?? []);
    const path = ['metrics', name];
    // Rows of the info section have no statistics.
    if (!name.endsWith('_info'))
      checkSchema((rule, place, ...rest) => report(rule, [...path, ...place], ...rest), validator, metric);
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
      WHOLE_FILE,
      `has none of the sections ${CSV_SECTIONS.join(', ')}, info`,
    );
  return view.schema_version;
}

/**
 * Returns a function that reports findings about a metric of the converted document at the rows and columns
 * of the file.
 */
function reportInRows(findings: Findings, name: string, rows: readonly CsvRow[]): Report {
  return (rule, path, message, value) => {
    const index = path.indexOf('series');
    const row = rows[Number(path[index + 1])] ?? rows[0]!;
    const column = path.slice(index + 2).filter(step => step !== 'stats');
    findings.reportAt(rule, locateRow(row, column.join(' '), name), message, value);
  };
}
