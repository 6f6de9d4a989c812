import type { Path } from '../json/path.ts';
import type { Report } from './findings.ts';
import { field, objectAt, objectItems, textAt, type Values } from './values.ts';

/** One series for each endpoint and label set. Seed 001, "Data Organization". */
export function checkLabels(report: Report, path: Path, metric: Values): void {
  const seen = new Map<string, number>();
  objectItems(metric, 'series', path).forEach(([series, place], index) => {
    const key = seriesKey(textAt(series, 'endpoint_url') ?? '', objectAt(series, 'labels'));
    const first = seen.get(key);
    if (first === undefined) seen.set(key, index);
    else
      report(
        'labels-repeated',
        place,
        `has the endpoint and labels of series[${first}]; every label set of an endpoint is one series`,
      );
  });
}

function seriesKey(endpoint: string, labels: Values | undefined): string {
  const names = Object.keys(labels ?? {}).sort();
  return JSON.stringify([endpoint, ...names.map(name => [name, String(field(labels!, name))])]);
}

/** The same for the samples of one metric in a JSONL line. */
export function checkSampleLabels(report: Report, path: Path, samples: readonly Values[]): void {
  const seen = new Map<string, number>();
  samples.forEach((sample, index) => {
    const key = seriesKey('', objectAt(sample, 'labels'));
    const first = seen.get(key);
    if (first === undefined) seen.set(key, index);
    else
      report(
        'labels-repeated',
        [...path, index],
        `has the labels of [${first}]; every label set is one sample`,
      );
  });
}
