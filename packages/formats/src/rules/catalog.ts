import type { Severity } from '../validate/issue.ts';

/**
 * The severity of each rule, except the rules for Parquet. Each rule is described in
 * docs/validation-rules.md; a test checks that the two lists match.
 */
export const RULE_SEVERITIES = {
  'file-unreadable': 'error',
  'text-encoding': 'error',
  'json-syntax': 'error',
  'json-duplicate-key': 'error',
  'document-unknown': 'error',
  'schema-version-unknown': 'error',
  'schema-version-newer': 'warning',

  'field-missing': 'error',
  'field-type': 'error',
  'field-range': 'error',
  'field-value': 'error',
  'field-format': 'error',
  'fields-together': 'error',
  'field-unknown': 'warning',
  'field-newer': 'warning',

  'time-order': 'error',
  'timestamp-digits': 'error',
  'endpoint-unlisted': 'error',
  'endpoint-repeated': 'warning',
  'endpoint-info-missing': 'error',
  'endpoint-data': 'error',
  'endpoint-times': 'error',
  'endpoint-updates': 'error',
  'endpoint-duration': 'warning',

  'labels-repeated': 'error',
  'gauge-order': 'error',
  'gauge-average': 'error',
  'gauge-spread': 'warning',
  'counter-rates': 'error',
  'counter-idle': 'error',
  'rate-duration': 'warning',
  'reset-increase': 'error',
  'buckets-bounds': 'error',
  'buckets-infinity': 'error',
  'buckets-monotone': 'error',
  'buckets-count': 'error',
  'buckets-missing': 'warning',
  'histogram-average': 'error',
  'histogram-rates': 'warning',
  'histogram-empty': 'error',
  'percentiles-missing': 'warning',
  'percentiles-order': 'error',
  'percentiles-range': 'warning',
  'percentile-bounds': 'error',
  'percentile-outside': 'warning',
  'slices-order': 'error',
  'slices-partial': 'warning',
  'slices-sum': 'warning',
  'slices-period': 'warning',
  'slices-aligned': 'warning',
  'slice-rate': 'warning',

  'legacy-percentiles': 'error',
  'legacy-constant': 'warning',
  'summary-quantiles': 'error',

  'record-times': 'error',
  'record-order': 'warning',
  'record-info': 'warning',

  'profile-count': 'error',
  'profile-sum': 'warning',
  'profile-kind': 'error',
  'profile-single': 'warning',
  'profile-total': 'warning',
  'run-identity': 'warning',

  'request-times': 'error',
  'request-outcome': 'error',
  'request-cancelled': 'warning',
  'request-metric': 'warning',
  'request-latency': 'error',
  'request-tail': 'warning',
  'request-first-token': 'error',
  'request-formula': 'warning',
  'trace-times': 'warning',

  'runs-count': 'error',
  'runs-repeated': 'error',
  'aggregate-interval': 'error',
  'aggregate-formula': 'error',
  'collated-count': 'error',
  'collated-mean': 'error',
  'sweep-combinations': 'error',

  'csv-syntax': 'error',
  'csv-header': 'error',
  'csv-cell': 'error',
  'csv-sections': 'warning',
} as const;

/** Identifier of a rule, as in docs/validation-rules.md. */
export type RuleId = keyof typeof RULE_SEVERITIES;

/** Returns the severity of a rule. */
export function getSeverity(rule: RuleId): Severity {
  return RULE_SEVERITIES[rule];
}
