// Writes docs/derived.md from formulas/formulas.yaml. pages.mjs runs this; test/pages.test.ts fails if the page is outdated.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readFormulas, readSchema } from './generate.mjs';

const here = dirname(fileURLToPath(import.meta.url));
/** The page of derived metrics. */
export const derivedPageFile = join(here, '../../../docs/derived.md');

/** Returns the content of the page. */
export function renderDerivedPage() {
  const { roles, constants } = readSchema().properties;
  return `<!-- Written by packages/servers/scripts/pages.mjs from packages/servers/formulas/formulas.yaml. Do not edit. -->

# Derived metrics

Hit rates, shares and other quotients are computed from the metrics of servers by formulas. A formula names roles, such as
\`cache_hits\`, and not the metrics of one server. [Each server's page](servers/README.md) lists the metrics of its roles.

| metric | formula | unit | meaning |
| --- | --- | --- | --- |
${readFormulas().map(renderFormula).join('\n')}

Goodput per server is measured by the client if \`profile\` has several \`--url\`: \`url_metrics\` in profile_export_aiperf.json has the
goodput, the latencies and the failures of each URL. Behind one URL it is unknown, because responses do not say which server sent them.
With one server, it is the goodput of the run.

## Where they are

- \`servelens read summary\` shows the values that say something: for example, no preemptions if there were none.
  \`--json\` has all values, and for each unknown value the reason.
- \`servelens read check\` takes the names in rules: \`prefix_cache_hit_rate >= 30%\`. With several endpoints, select one, or all
  together: \`prefix_cache_hit_rate{endpoint_url="all"} >= 30%\`.
- \`servelens read compare\` has a row per metric. The noise is estimated from timeslices, which are weighted by the divisor.
- \`servelens read query\` has the view \`derived\`: one row per value for the period, with \`start_ns\` NULL, and one per timeslice.
- \`server_metrics_export.json\` has the field \`derived\`. \`--compat aiperf-0.13\` omits it. CSV, JSONL and Parquet do not have
  it, because their layouts have no place for it.

## How values are computed

- Counters and histograms are read as increases over the profiling period, also across restarts of the server. Gauges are read
  as the means of their samples. \`rate()\` is the increase per second.
- Each endpoint has a value, and so have all endpoints with the same server, component and model together. A quotient of several
  endpoints is the sum of the dividends divided by the sum of the divisors, not the mean of the quotients. Shares without a
  divisor, such as \`kv_cache_usage\`, are not combined.
- A value of counters of one endpoint is exact, because a server exports them at one time (\`is_exact\`). Gauges are sampled, and
  endpoints are scraped at different times.
- The value of a timeslice is the quotient of the increases in it. Timeslices whose divisor is 0 are omitted.
- If a metric is missing, has another type, behaves like a gauge or mixes several processes, or if the divisor is 0, there is no
  value, but a reason. The rates of a server that died are unknown.

## Your own formulas

A file of \`--servers\` can define formulas and constants. A formula with the name of a known one replaces it. Without a server of
your own, leave \`prefixes\` empty.

\`\`\`yaml
# mine.yaml
name: My formulas
recognize: { prefixes: [] }
formulas:
  - name: output_tokens_per_request
    formula: output_tokens / completed_requests
    unit: tokens/requests
    better: neither
    meaning: Mean number of generated tokens per request.
constants:
  gpu_peak_operations: 989.0e+12
\`\`\`

\`\`\`sh
servelens read check run1 'output_tokens_per_request > 100' --servers mine.yaml
\`\`\`

| part of a formula | meaning |
| --- | --- |
| \`cache_hits\` | the value of a role |
| \`completed_requests{finished_reason="stop"}\` | only series with this value of the label; several conditions are separated by commas |
| \`2.5\`, \`1[tokens/drafts]\` | a number, with or without a unit |
| \`+\`, \`-\`, \`*\`, \`/\`, \`(\`, \`)\` | arithmetic |
| \`rate(output_tokens)\` | increase per second of a counter or histogram |
| \`frontend(max_running)\` | the value that frontends report |
| \`sum(...)\`, \`mean(...)\`, \`max(...)\`, \`median(...)\` | over replicas: the ranks of an endpoint, or all ranks of all endpoints together; \`max\` and \`median\` need two |
| \`a / b else c\` | \`c\` if a server does not export the metrics of \`a / b\` |

Units are checked: \`cache_hits + output_tokens\` is refused. \`ratio\` is a share, which screens show in percent, and \`factor\` a
quotient, which they show as 1.5×.

| constant | unit | meaning |
| --- | --- | --- |
${Object.entries(constants.properties).map(renderUnit).join('\n')}

The peak of a GPU depends on its model and on the number format, which servers do not export. Without the constant,
\`model_flops_utilization\` and \`memory_bandwidth_utilization\` are unknown; the rates are known.

| role | unit | meaning |
| --- | --- | --- |
${Object.entries(roles.properties).map(renderUnit).join('\n')}
`;
}

function renderFormula({ name, formula, unit, meaning, better = 'neither', of }) {
  const notes = [...(better === 'neither' ? [] : [`${better} is better`]), ...(of ? [`only ${of}`] : [])];
  const suffix = notes.length === 0 ? '' : `<br>${notes.join(', ')}`;
  return `| \`${name}\`${suffix} | \`${formula}\` | ${unit} | ${meaning} |`;
}

function renderUnit([name, { 'x-unit': unit, description }]) {
  return `| \`${name}\` | ${unit} | ${description} |`;
}
