import type { Series, Slot } from '@org/core';
import type { RoleMetric, ServerDefinition } from '@org/servers';
import { type EndpointSources, GAUGE_ROLES, type GaugeRole, selectSources } from './roleValues.ts';

/** Shares above this value are percentages. */
const MAX_SHARE = 1.5;

/** A value of a role on one endpoint, of one kind of server. */
export interface RoleValue {
  readonly definition: ServerDefinition;
  readonly operation: RoleMetric['operation'];
  /** The current value of a gauge, or the increase of a counter since the previous reading. */
  readonly value: number;
}

/** The current gauges of one endpoint, by role. */
export type Gauges = ReadonlyMap<GaugeRole, readonly RoleValue[]>;

/** Reads the gauges of an endpoint from the values of its last scrape. */
export function readGauges({ roles }: Pick<EndpointSources, 'roles'>, latest: Float64Array): Gauges {
  return new Map(
    GAUGE_ROLES.map(role => [
      role,
      roles.get(role)!.flatMap(({ definition, series }) => {
        const { operation, zeroIsAbsent } = definition.roles[role]!;
        const values = series.map(one => latest[selectSlot(one, operation)]).filter(isKnown);
        const value = combine(values, operation);
        if (value === undefined || (zeroIsAbsent && value === 0)) return [];
        return [{ definition, operation, value }];
      }),
    ]),
  );
}

/** Returns the slot of a series that an operation refers to: the value, or the sum or the count of a histogram. */
export function selectSlot(series: Series, operation: RoleMetric['operation']): Slot {
  if (series.kind === 'scalar') return series.value;
  return operation === 'observed' ? series.sum : series.count;
}

function isKnown(value: number | undefined): value is number {
  return value !== undefined && Number.isFinite(value);
}

/** Combines gauges. Shares above 1.5 are percentages. Returns undefined for counters, which are not gauges. */
export function combine(values: readonly number[], operation: RoleMetric['operation']): number | undefined {
  if (values.length === 0) return undefined;
  const sum = values.reduce((a, b) => a + b, 0);
  if (operation === 'sum') return sum;
  if (operation === 'max') return Math.max(...values);
  return operation === 'mean' ? sum / values.length : undefined;
}

/** Combines a gauge over endpoints. The largest batch size and the fullest cache are used, other values are added. */
export function combineGauges(endpoints: readonly Gauges[], role: GaugeRole): number | undefined {
  const values = selectSources(
    role,
    endpoints.flatMap(gauges => gauges.get(role) ?? []),
  );
  const isShare = role === 'kvCacheUsage';
  return combine(
    values.map(({ value }) => (isShare ? toShare(value) : value)),
    isShare ? 'max' : 'sum',
  );
}

function toShare(value: number): number {
  return value > MAX_SHARE ? value / 100 : value;
}
