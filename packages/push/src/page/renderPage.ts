import type { Batch } from '../metrics/batch.ts';
import { type FlatFamily, type FlatSample, flattenBatch } from '../metrics/flatSeries.ts';
import { getRunLabels, toUnitSuffix } from '../metrics/prometheusNames.ts';

/** The formats of a metrics page. */
export type PageFormat = 'openmetrics' | 'prometheus';

/** The content types of the formats. */
export const CONTENT_TYPES: Readonly<Record<PageFormat, string>> = {
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
};

/** Formats the last values of a run as a metrics page; an empty page without values. */
export function renderPage(batch: Batch | undefined, format: PageFormat): string {
  const families = batch ? flattenBatch(batch, getRunLabels(batch)) : [];
  const lines = families.flatMap(family => renderFamily(family, format));
  if (format === 'openmetrics') lines.push('# EOF');
  return lines.map(line => `${line}\n`).join('');
}

function renderFamily({ definition, name, samples }: FlatFamily, format: PageFormat): string[] {
  const { kind, unit, description } = definition;
  const suffix = toUnitSuffix(unit);
  const isOpenMetrics = format === 'openmetrics';
  // In OpenMetrics, the name of a counter is the name of its samples without the suffix.
  const family = isOpenMetrics && kind === 'counter' ? name.replace(/_total$/, '') : name;
  return [
    `# HELP ${family} ${escapeHelp(description, isOpenMetrics)}`,
    `# TYPE ${family} ${kind}`,
    ...(isOpenMetrics && suffix !== '' && family.endsWith(`_${suffix}`)
      ? [`# UNIT ${family} ${suffix}`]
      : []),
    ...samples.map(sample => renderSample(sample, isOpenMetrics)),
  ];
}

function renderSample({ name, labels, value }: FlatSample, isOpenMetrics: boolean): string {
  const pairs = labels.map(
    ([label, text]) => `${label}="${escapeLabel(formatBound(label, text, isOpenMetrics))}"`,
  );
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${formatValue(value)}`;
}

/** Formats the bound of a bucket. In OpenMetrics, an integer has a decimal point. */
function formatBound(label: string, text: string, isOpenMetrics: boolean): string {
  return isOpenMetrics && label === 'le' && /^\d+$/.test(text) ? `${text}.0` : text;
}

function formatValue(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value);
}

function escapeLabel(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"');
}

function escapeHelp(text: string, isOpenMetrics: boolean): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
  return isOpenMetrics ? escaped.replaceAll('"', '\\"') : escaped;
}
