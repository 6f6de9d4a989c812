import { ENERGY_NAMES } from '../json/energyTags.ts';
import { UNIT_BY_TAG } from '../json/profileTags.ts';

/** AIPerf's display names that differ from the capitalized tag, by tag. */
const NAMES: Readonly<Record<string, string>> = {
  time_to_first_token: 'Time to First Token',
  time_to_second_token: 'Time to Second Token',
  time_to_first_output_token: 'Time to First Output Token',
  network_adjusted_request_latency: 'Network-Adjusted Request Latency',
  network_adjusted_time_to_first_token: 'Network-Adjusted Time to First Token',
  network_adjusted_time_to_first_output_token: 'Network-Adjusted Time to First Output Token',
  network_rtt: 'Network RTT',
  e2e_output_token_throughput: 'E2E Output Token Throughput',
  error_isl: 'Error Input Sequence Length',
  total_isl: 'Total Input Sequence Length',
  total_osl: 'Total Output Sequence Length',
  total_error_isl: 'Total Error Input Sequence Length',
  requested_osl: 'Requested OSL',
  osl_mismatch_count: 'OSL Mismatch Count',
  osl_mismatch_diff_pct: 'OSL Mismatch Diff %',
  completed_request_count: 'Completed Requests (Success + Error)',
  good_request_fraction: 'GoodRequestFraction',
  credit_to_start_latency: 'Credit-to-Start Latency',
  effective_latency: 'Effective Latency (CO-aware)',
  replay_sched_lag_p50: 'Replay Schedule Lag p50',
  replay_sched_lag_p90: 'Replay Schedule Lag p90',
  replay_sched_lag_p99: 'Replay Schedule Lag p99',
  replay_sched_degraded: 'Replay Schedule Degraded',
  overall_usage_prompt_cache_read_pct: 'Overall Usage Prompt Cache Read %',
  spec_decode_acceptance_length: 'Acceptance Length',
  spec_decode_draft_acceptance_rate: 'Draft Acceptance Rate',
  spec_decode_accepted_per_verified: 'Accepted per Verified',
  spec_decode_accepted_draft_tokens: 'Accepted Draft Tokens',
  spec_decode_draft_tokens: 'Draft Tokens',
  spec_decode_token_weighted_acceptance_length: 'Token-Weighted Acceptance Length',
  spec_decode_overall_draft_acceptance_rate: 'Overall Draft Acceptance Rate',
  usage_prompt_tokens_diff_pct: 'Usage Prompt Diff %',
  usage_completion_tokens_diff_pct: 'Usage Completion Diff %',
  usage_reasoning_tokens_diff_pct: 'Usage Reasoning Diff %',
  min_request_timestamp: 'Minimum Request Timestamp',
  max_response_timestamp: 'Maximum Response Timestamp',
  http_req_blocked: 'HTTP Blocked',
  http_req_dns_lookup: 'HTTP DNS Lookup',
  http_req_connecting: 'HTTP Connecting',
  http_req_sending: 'HTTP Sending',
  http_req_waiting: 'HTTP Waiting (TTFB)',
  http_req_receiving: 'HTTP Receiving',
  http_req_duration: 'HTTP Duration (excl. conn)',
  http_req_connection_overhead: 'HTTP Connection Overhead',
  http_req_total: 'HTTP Total Time',
  http_req_data_sent: 'HTTP Data Sent',
  http_req_data_received: 'HTTP Data Received',
  http_req_chunks_sent: 'HTTP Chunks Sent',
  http_req_chunks_received: 'HTTP Chunks Received',
  http_req_connection_reused: 'HTTP Connection Reused',
};

/** Tags of these names, by name in lowercase. AIPerf's energy metrics of all platforms have the same names. */
const TAGS = new Map(
  Object.entries({ ...ENERGY_NAMES, ...NAMES })
    .filter(([tag]) => !tag.startsWith('amd_'))
    .map(([tag, name]) => [name.toLowerCase(), tag]),
);

// Display names in other AIPerf releases.
for (const kind of ['prompt', 'completion', 'reasoning'])
  TAGS.set(`usage ${kind} diff`, `usage_${kind}_tokens_diff_pct`);

/** Prefix of the tag, and end of the name, if failed requests count as infinitely slow. */
const ADJUSTED_PREFIX = 'adj_';
const ADJUSTED_END = ' (error-adjusted)';

/**
 * Converts a tag to a display name: `request_latency` becomes "Request Latency". Tags that cannot be
 * converted back are kept.
 */
export function toMetricName(tag: string): string {
  if (tag.startsWith(ADJUSTED_PREFIX)) return toMetricName(tag.slice(ADJUSTED_PREFIX.length)) + ADJUSTED_END;
  if (Object.hasOwn(NAMES, tag)) return NAMES[tag]!;
  const name = tag.replace(/(^|_)([a-z0-9])/g, (_, gap, letter) => (gap ? ' ' : '') + letter.toUpperCase());
  return toMetricTag(name) === tag ? name : tag;
}

/** Converts a display name to its tag. Names that are not capitalized words are kept. */
export function toMetricTag(name: string): string {
  if (name.endsWith(ADJUSTED_END)) return ADJUSTED_PREFIX + toMetricTag(name.slice(0, -ADJUSTED_END.length));
  const knownTag = TAGS.get(name.toLowerCase());
  if (knownTag !== undefined) return knownTag;
  return /^[A-Z0-9][A-Za-z0-9]*( [A-Za-z0-9]+)*$/.test(name) ? name.toLowerCase().replaceAll(' ', '_') : name;
}

/** Units that AIPerf omits after the display name. */
const OMITTED_UNITS: readonly string[] = ['count', 'requests'];

/**
 * Formats name and unit as one cell: `Request Latency (ms)`. Omits "count" and "requests" if `inferUnit`
 * returns them.
 */
export function formatNameCell(tag: string, unit: string): string {
  const name = toMetricName(tag);
  const isOmitted = OMITTED_UNITS.includes(unit) && inferUnit(tag) === unit && !name.endsWith(')');
  return isOmitted ? name : `${name} (${unit})`;
}

/** Formats name and unit as one cell, as AIPerf does. */
export function formatAiperfNameCell(tag: string, unit: string): string {
  const isOmitted = unit === '' || OMITTED_UNITS.includes(unit.toLowerCase());
  const name = ENERGY_NAMES[tag] ?? toMetricName(tag);
  return isOmitted ? name : `${name} (${unit})`;
}

/** Parses the tag and unit from a cell with name and unit. */
export function parseNameCell(cell: string): { readonly tag: string; readonly unit: string } {
  const hasUnit = !TAGS.has(cell.toLowerCase());
  const [, name, unit] = (hasUnit && /^(.*?) \(([^()]*)\)$/s.exec(cell)) || [];
  const tag = toMetricTag(name ?? cell);
  return { tag, unit: unit ?? inferUnit(tag) };
}

/** Infers an omitted unit: `requests` for tags that are known or end with `_count`, otherwise `count`. */
function inferUnit(tag: string): string {
  return UNIT_BY_TAG.get(tag) === 'requests' || tag.endsWith('_count') ? 'requests' : 'count';
}
