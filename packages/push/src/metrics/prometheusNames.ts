import type { Batch, Labels } from './batch.ts';
import type { MetricDefinition } from './definition.ts';

/** Suffixes of units, as in Prometheus' translation of OpenTelemetry names. */
const UNIT_SUFFIXES: Readonly<Record<string, string>> = { s: 'seconds', '1': 'ratio' };

/**
 * Returns the Prometheus name of a metric. It is the name that Prometheus gives to the metric if it receives it by OTLP, so
 * that the names do not depend on the protocol.
 */
export function toPrometheusName({ name, kind, unit }: MetricDefinition): string {
  const suffix = kind === 'counter' ? 'total' : toUnitSuffix(unit);
  return [toLabelName(name), ...(suffix === '' ? [] : [suffix])].join('_');
}

/** Returns the name of a unit in Prometheus; empty for counts of things. */
export function toUnitSuffix(unit: string): string {
  if (unit.endsWith('/s')) return 'per_second';
  return UNIT_SUFFIXES[unit] ?? '';
}

/** Converts a name of OpenTelemetry to a valid name of Prometheus. */
export function toLabelName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_]/g, '_').replace(/^(?=\d)/, '_');
}

/** Converts labels to pairs of valid names and values. In Prometheus, a label without a value does not exist. */
export function toPrometheusLabels(labels: Labels): [name: string, value: string][] {
  const pairs = Object.entries(labels).map(([name, value]) => [toLabelName(name), value] as const);
  return [...new Map(pairs)].filter(([, value]) => value !== '');
}

/** Returns the labels that all points of a batch have. */
export function getRunLabels({ run }: Pick<Batch, 'run'>): Labels {
  return { ...run.userLabels, ...run.labels, run_id: run.runId };
}

/** The value of `job` and of the attribute `service.name`. */
export const JOB = 'servelens';

/** Returns the labels that identify a source in Prometheus. They correspond to the attributes of the resource in OTLP. */
export function getSourceLabels({ run }: Pick<Batch, 'run'>): Labels {
  return { job: JOB, instance: run.runId };
}
