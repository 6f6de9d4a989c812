import type { Family } from './layout.ts';

/** The suffix of families with the creation time of each series, in seconds since 1970. */
export const CREATED_SUFFIX = '_created';

/** Reports whether a family is named like a creation time or an uptime, according to AIPerf's rule. */
export function isTimeName(name: string): boolean {
  return name.endsWith(CREATED_SUFFIX) || isUptimeName(name);
}

/** Reports whether a family is named like an uptime. */
export function isUptimeName(name: string): boolean {
  return name.endsWith('_uptime') || name.includes('_uptime_');
}

/**
 * Reports whether a family is only evidence of when a series or a server started. Such gauges are recorded, but not
 * exported. See docs/decisions/0011-family-names.md.
 */
export function isEvidence({ name, type }: Pick<Family, 'name' | 'type'>): boolean {
  return type === 'gauge' && isTimeName(name);
}
