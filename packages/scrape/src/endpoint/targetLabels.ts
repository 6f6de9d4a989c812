import { isSecretName, REDACTED } from '@org/core';

/** Labels of a target, such as `pod` and `node`, by name. */
export type TargetLabels = Readonly<Record<string, string>>;

/**
 * Returns the labels sorted by name, without empty values; undefined if there are none. Values of labels whose name
 * suggests a secret are redacted.
 */
export function redactTargetLabels(labels: TargetLabels = {}): TargetLabels | undefined {
  const entries = Object.entries(labels).filter(([, value]) => value !== '');
  if (entries.length === 0) return undefined;
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, value]) => [name, isSecretName(name) ? REDACTED : value]));
}
