import type { Path } from '../json/path.ts';
import type { Report } from './findings.ts';
import { getField, getObject, getText, listObjectItems, type Values } from './values.ts';

/** Checks that no two series of a metric have the same endpoint and label set. */
export function checkLabels(report: Report, path: Path, metric: Values): void {
  const indexByKey = new Map<string, number>();
  listObjectItems(metric, 'series', path).forEach(([series, place], index) => {
    const key = buildSeriesKey(getText(series, 'endpoint_url') ?? '', getObject(series, 'labels'));
    const first = indexByKey.get(key);
    if (first === undefined) indexByKey.set(key, index);
    else
      report(
        'labels-repeated',
        place,
        `has the same endpoint and labels as series[${first}]; a label set of an endpoint must occur once`,
      );
  });
}

/** Returns a key that is equal for equal endpoints and label sets. */
function buildSeriesKey(endpoint: string, labels: Values | undefined): string {
  const names = Object.keys(labels ?? {}).sort();
  return JSON.stringify([endpoint, ...names.map(name => [name, String(getField(labels!, name))])]);
}

/** Checks that no two samples of a metric in a JSONL line have the same label set. */
export function checkSampleLabels(report: Report, path: Path, samples: readonly Values[]): void {
  const indexByKey = new Map<string, number>();
  samples.forEach((sample, index) => {
    const key = buildSeriesKey('', getObject(sample, 'labels'));
    const first = indexByKey.get(key);
    if (first === undefined) indexByKey.set(key, index);
    else
      report(
        'labels-repeated',
        [...path, index],
        `has the same labels as [${first}]; a label set must occur once`,
      );
  });
}
