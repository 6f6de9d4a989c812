import { describeVersionGap, listUsedTypes, type MetricRole, type ServerDefinition } from '@org/servers';
import type { Run } from '../run/run.ts';
import type { RunSeries } from '../run/series.ts';
import { listMetricSeries, recognizeServers } from '../servers/metricSeries.ts';
import type { Evidence } from './rule.ts';

/** The gauges that every version of an engine has from its start. Without them, its version is unknown. */
const ALWAYS_EXPORTED: readonly MetricRole[] = ['running', 'waiting'];

/** The number of metrics of a page that was not filtered, such as by a monitoring system. */
const MIN_METRICS = 8;

/**
 * Finds the metrics of known servers that figures do not use: with another type than the known versions, without the
 * label that tells failed requests from others, or missing. The figures that need them are left out.
 */
export function findUnusableMetrics(run: Run): Evidence[] {
  const definitions = recognizeServers(run);
  return definitions.flatMap(definition => [
    ...findOtherTypes(run, definition),
    ...findMissingLabels(run, definition),
    ...findMissingMetrics(run, definition, definitions),
  ]);
}

function findOtherTypes(run: Run, definition: ServerDefinition): Evidence[] {
  return [...listUsedTypes(definition)].flatMap(([metric, expected]) =>
    byEndpoint(listMetricSeries(run, metric)).flatMap(([endpoint, [first]]) =>
      first!.type === expected || first!.type === 'unknown'
        ? []
        : createEvidence(endpoint, `${first!.name} is a ${first!.type} instead of a ${expected}`, 2),
    ),
  );
}

/** Finds counters of failures of which no series has the label that shows the result of a request. */
function findMissingLabels(run: Run, { failures }: ServerDefinition): Evidence[] {
  return failures.flatMap(({ metric, where }) =>
    where === undefined
      ? []
      : byEndpoint(listMetricSeries(run, metric)).flatMap(([endpoint, series]) =>
          series.some(({ labels }) => labels[where.label] !== undefined)
            ? []
            : createEvidence(
                endpoint,
                `${series[0]!.name} has no label ${where.label}, so that failed requests are unknown`,
                1,
              ),
        ),
  );
}

/** Finds endpoints that have metrics of one engine only, but not those that every known version exports. */
function findMissingMetrics(
  run: Run,
  { name: server, kind, roles, recognize, metrics: overlaps = {} }: ServerDefinition,
  definitions: readonly ServerDefinition[],
): Evidence[] {
  const required = ALWAYS_EXPORTED.filter(role => roles[role]?.operation === 'sum');
  if (kind !== 'engine' || required.length === 0 || recognize.prefixes.length === 0 || definitions.length > 1)
    return [];
  return run.endpoints.flatMap(({ name: endpoint, versions }) => {
    const version = versions.find(stated => stated.server === server)?.version;
    const own = [...run.families.values()].filter(
      family =>
        recognize.prefixes.some(prefix => family.name.startsWith(prefix)) &&
        family.series.some(series => series.endpoint === endpoint),
    );
    const missing = required.flatMap(role => {
      const { metrics } = roles[role]!;
      const exists = metrics.some(metric =>
        listMetricSeries(run, metric).some(series => series.endpoint === endpoint),
      );
      const isOfOtherVersion =
        version !== undefined && describeVersionGap(version, overlaps[metrics[0]!] ?? {}) !== undefined;
      return exists || isOfOtherVersion ? [] : metrics[0]!;
    });
    if (own.length < MIN_METRICS || missing.length === 0) return [];
    return createEvidence(
      endpoint,
      version === undefined
        ? `${server} exports no ${missing.join(' and no ')}: its version is unknown, or the page is incomplete`
        : `${server} ${version} exports no ${missing.join(' and no ')}: this version is not known, or the page is incomplete`,
      1,
    );
  });
}

function byEndpoint(all: readonly RunSeries[]): [string, RunSeries[]][] {
  const endpoints = new Map<string, RunSeries[]>();
  for (const series of all)
    endpoints.set(series.endpoint, [...(endpoints.get(series.endpoint) ?? []), series]);
  return [...endpoints];
}

function createEvidence(endpoint: string, text: string, magnitude: number): Evidence[] {
  return [{ endpoint, text, numbers: {}, magnitude }];
}
