import type { ServerMetricsDocument } from '@org/formats';
import type { HealthRecord, MarkRecord, SettlingRecord } from './runRecord.ts';

/** Fields of journals and exports before 0.1.0, and their names today. */
const SETTLING_FIELDS = { edge: 'boundary', moving: 'changing_metrics' };
const MARK_FIELDS = { who: 'sender' };
const COST_FIELDS = { longest_interval_ms: 'max_interval_ms' };
const OUTCOMES: Readonly<Record<string, string>> = { gave_up: 'timed_out', no_data: 'no_endpoints' };

/** Returns the object with renamed fields, in the same order. */
function renameFields<T extends object>(value: T, names: Readonly<Record<string, string>>): T {
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [Object.hasOwn(names, key) ? names[key] : key, field]),
  ) as T;
}

/** Renames the fields and the outcome of a wait. */
export function upgradeSettling(wait: SettlingRecord): SettlingRecord {
  const renamed = renameFields(wait, SETTLING_FIELDS);
  const { outcome } = renamed;
  return { ...renamed, outcome: Object.hasOwn(OUTCOMES, outcome) ? OUTCOMES[outcome]! : outcome };
}

/** Renames the fields of a mark. */
export function upgradeMark(mark: MarkRecord): MarkRecord {
  return renameFields(mark, MARK_FIELDS);
}

/** Renames the fields of an endpoint's health. */
export function upgradeHealth(health: HealthRecord): HealthRecord {
  return health.cost ? { ...health, cost: renameFields(health.cost, COST_FIELDS) } : health;
}

/** Renames the fields in the summary of an export. */
export function upgradeSummary(summary: ServerMetricsDocument['summary']): ServerMetricsDocument['summary'] {
  const { settling, marks, endpoint_info } = summary;
  return {
    ...summary,
    ...(Array.isArray(settling) ? { settling: settling.map(upgradeSettling) } : {}),
    ...(Array.isArray(marks) ? { marks: marks.map(upgradeMark) } : {}),
    endpoint_info: Object.fromEntries(
      Object.entries(endpoint_info).map(([url, info]) => [url, renameFields(info, COST_FIELDS)]),
    ),
  };
}
