/** Names of metrics that are not their tag in capitals. Reference: metrics of AIPerf, section B1. */
const names: Readonly<Record<string, string>> = {
  time_to_first_token: 'Time to First Token',
  time_to_second_token: 'Time to Second Token',
  time_to_first_output_token: 'Time to First Output Token',
  e2e_output_token_throughput: 'E2E Output Token Throughput',
  error_isl: 'Error Input Sequence Length',
  total_isl: 'Total Input Sequence Length',
  total_osl: 'Total Output Sequence Length',
  total_error_isl: 'Total Error Input Sequence Length',
  requested_osl: 'Requested OSL',
  osl_mismatch_count: 'OSL Mismatch Count',
  osl_mismatch_diff_pct: 'OSL Mismatch Diff %',
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

const tags = new Map(Object.entries(names).map(([tag, name]) => [name.toLowerCase(), tag]));

/** Other spellings of released versions. */
for (const kind of ['prompt', 'completion', 'reasoning'])
  tags.set(`usage ${kind} diff`, `usage_${kind}_tokens_diff_pct`);

/** What a CSV calls a metric: `request_latency` is "Request Latency". A tag that is no plain tag stays as it is. */
export function toMetricName(tag: string): string {
  if (Object.hasOwn(names, tag)) return names[tag]!;
  const name = tag.replace(/(^|_)([a-z0-9])/g, (_, gap, letter) => (gap ? ' ' : '') + letter.toUpperCase());
  return toMetricTag(name) === tag ? name : tag;
}

/** The tag of a metric that a CSV names; a name that no tag has stays as it is. */
export function toMetricTag(name: string): string {
  const known = tags.get(name.toLowerCase());
  if (known !== undefined) return known;
  return /^[A-Z0-9][A-Za-z0-9]*( [A-Za-z0-9]+)*$/.test(name) ? name.toLowerCase().replaceAll(' ', '_') : name;
}

/** Units that AIPerf does not print beside a name. */
const silentUnits: readonly string[] = ['count', 'requests'];

/** Name and unit in one cell: `Request Latency (ms)`; counts and requests go without, where a reader can tell which. */
export function formatNameCell(tag: string, unit: string): string {
  const name = toMetricName(tag);
  const isSilent = silentUnits.includes(unit) && silentUnit(tag) === unit && !name.endsWith(')');
  return isSilent ? name : `${name} (${unit})`;
}

/** The same as AIPerf writes it. */
export function formatAiperfNameCell(tag: string, unit: string): string {
  const isSilent = unit === '' || silentUnits.includes(unit.toLowerCase());
  return isSilent ? toMetricName(tag) : `${toMetricName(tag)} (${unit})`;
}

/** The tag and the unit that such a cell names. */
export function parseNameCell(cell: string): { readonly tag: string; readonly unit: string } {
  const [, name, unit] = /^(.*?) \(([^()]*)\)$/s.exec(cell) ?? [];
  const tag = toMetricTag(name ?? cell);
  return { tag, unit: unit ?? silentUnit(tag) };
}

/** Metrics that count requests are called so; other counts are of chunks and the like. */
function silentUnit(tag: string): string {
  return tag.endsWith('_count') ? 'requests' : 'count';
}
