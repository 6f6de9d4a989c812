import { describeVersionGap, type LabelMatch, type MetricRole, type RoleMetric, roles } from '@org/servers';
import { describeDeath, describeMixture } from '../run/availability.ts';
import { isGaugeLike } from '../run/increase.ts';
import type { Run } from '../run/run.ts';
import type { RunSeries } from '../run/series.ts';
import { isAmount, type Moment, readAmount, readLevel } from './moment.ts';
import type { Replica } from './replica.ts';

/** The reason why a value is unknown. `isAbsent`: the server does not export what the formula needs. */
export interface Missing {
  readonly missing: string;
  readonly isAbsent?: true;
}

/** Reports whether a value is unknown. */
export function isMissing(value: number | Missing): value is Missing {
  return typeof value === 'object';
}

/** Reports whether a value is known. */
export function isKnown(value: number | Missing): value is number {
  return typeof value === 'number';
}

/** The metric types that each operation can read. */
const TYPES: Readonly<Record<RoleMetric['operation'], readonly RunSeries['type'][]>> = {
  sum: ['gauge', 'unknown'],
  max: ['gauge', 'unknown'],
  mean: ['gauge', 'unknown'],
  total: ['counter'],
  busy: ['counter'],
  observed: ['histogram'],
  count: ['histogram'],
  p99: [],
};

/** A role to read, restricted to series with some labels. */
export interface RoleRequest {
  readonly role: MetricRole;
  readonly where: readonly LabelMatch[];
  /** True to read the increase per second. */
  readonly isRate: boolean;
}

/** Reads a role of a replica. Returns a reason if the server does not export it, or if its values cannot be used. */
export function readRole(run: Run, replica: Replica, request: RoleRequest, moment: Moment): number | Missing {
  const { role, where, isRate } = request;
  const { name } = roles[role];
  const metric = replica.definition.roles[role];
  const series = metric ? replica.series(role).filter(entry => matches(entry, where)) : [];
  if (!metric || series.length === 0)
    return {
      missing: `needs ${formatRole(request)}, which ${describe(replica)} does not export${describeVersion(run, replica, metric)}`,
      isAbsent: true,
    };
  const wrong = series.find(({ type }) => !TYPES[metric.operation].includes(type));
  if (wrong) return { missing: describeType(wrong, name, metric), isAbsent: true };
  if (isRate && !isAmount(metric.operation))
    return {
      missing: `rate(${name}) needs a counter, but ${series[0]!.name} is a ${series[0]!.type}`,
      isAbsent: true,
    };
  const unusable = isAmount(metric.operation) ? findProblem(run, replica, series, isRate) : undefined;
  if (unusable !== undefined) return { missing: unusable };
  const value = isAmount(metric.operation)
    ? readAmount(series, metric.operation, moment, isRate)
    : readLevel(series, role, metric, moment);
  if (value === undefined || !Number.isFinite(value))
    return {
      missing: `${series[0]!.name} of ${replica.endpoint} has no value`,
      ...(metric.valueLabel && { isAbsent: true }),
    };
  if (value === 0 && metric.zeroIsAbsent)
    return {
      missing: `${name} of ${replica.endpoint} is 0, which means that the feature is not used`,
      isAbsent: true,
    };
  return value;
}

function matches({ labels }: RunSeries, where: readonly LabelMatch[]): boolean {
  return where.every(({ label, value }) => (labels[label] ?? '') === value);
}

function formatRole({ role, where }: RoleRequest): string {
  const conditions = where.map(({ label, value }) => `${label}=${JSON.stringify(value)}`).join(', ');
  return `${roles[role].name}${conditions === '' ? '' : `{${conditions}}`}`;
}

function describe({ definition, endpoint }: Replica): string {
  return `${definition.name} at ${endpoint}`;
}

/** Describes the version of a server that is too old or too new for a metric, such as ` (its version is 0.8; since 0.9)`. */
function describeVersion(
  { endpoints }: Run,
  { definition: { name: server, metrics = {} }, endpoint }: Replica,
  metric: RoleMetric | undefined,
): string {
  const { versions = [] } = endpoints.find(({ name }) => name === endpoint) ?? {};
  const version = versions.find(stated => stated.server === server)?.version;
  const [first] = metric?.metrics ?? [];
  if (version === undefined || first === undefined) return '';
  const gap = describeVersionGap(version, metrics[first] ?? {});
  return gap === undefined ? '' : ` (its version is ${version}, the metric exists ${gap})`;
}

function describeType({ name, type, endpoint }: RunSeries, role: string, { operation }: RoleMetric): string {
  if (operation === 'p99') return `${role} is known only as percentiles`;
  return `${name} of ${endpoint} is a ${type}, but ${role} needs a ${TYPES[operation][0]}`;
}

/** Describes why increases of an endpoint are unknown; undefined if they are known. */
function findProblem(
  run: Run,
  { state }: Replica,
  series: readonly RunSeries[],
  isRate: boolean,
): string | undefined {
  const gaugeLike = series.find(({ stats }) => isGaugeLike(stats));
  if (gaugeLike)
    return `${gaugeLike.name} of ${gaugeLike.endpoint} behaves like a gauge; its increase is unknown`;
  if (state?.availability.mixedResets !== undefined) return describeMixture(state);
  if (isRate && state?.availability.death)
    return `the rate is not that of the run: ${describeDeath(state, run.times)}`;
  return isRate && run.window ? 'the time that the rate covers is unknown' : undefined;
}
