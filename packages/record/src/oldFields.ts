import type { ServerMetricsDocument } from '@org/formats';
import type { HealthRecord, MarkRecord, SettlingRecord } from './runRecord.ts';

/** Renamed fields and values of journals and exports before 0.1.0: the former name, then the current name. */
const SETTLING_FIELDS = { edge: 'boundary', moving: 'changing_metrics' };
const MARK_FIELDS = { who: 'sender' };
const COST_FIELDS = { longest_interval_ms: 'max_interval_ms' };
const SETTLING_OUTCOMES: Readonly<Record<string, string>> = { gave_up: 'timed_out', no_data: 'no_endpoints' };

/** Returns a copy of an object with renamed fields, in the same order. */
function renameFields<T extends object>(value: T, newNames: Readonly<Record<string, string>>): T {
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [Object.hasOwn(newNames, key) ? newNames[key] : key, field]),
  ) as T;
}

/** Converts the record of a wait to the current field names and outcome. */
export function upgradeSettling(wait: SettlingRecord): SettlingRecord {
  const renamed = renameFields(wait, SETTLING_FIELDS);
  const { outcome } = renamed;
  return {
    ...renamed,
    outcome: Object.hasOwn(SETTLING_OUTCOMES, outcome) ? SETTLING_OUTCOMES[outcome]! : outcome,
  };
}

/** Converts a mark to the current field names. */
export function upgradeMark(mark: MarkRecord): MarkRecord {
  return renameFields(mark, MARK_FIELDS);
}

/** Converts the health of an endpoint to the current field names. */
export function upgradeHealth(health: HealthRecord): HealthRecord {
  return health.cost ? { ...health, cost: renameFields(health.cost, COST_FIELDS) } : health;
}

/** Converts the summary of an export to the current field names. */
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
