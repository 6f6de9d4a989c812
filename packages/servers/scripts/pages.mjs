// Writes a page per server to docs/servers, from the files in servers/.
// Run `node scripts/pages.mjs` after a change; test/pages.test.ts fails if a page is outdated.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { listServerFiles, readDefinition } from './generate.mjs';

const here = dirname(fileURLToPath(import.meta.url));
/** The folder of the pages. */
export const pagesFolder = join(here, '../../../docs/servers');

/** Returns the content of all pages, by file name. */
export function generatePages() {
  const files = listServerFiles();
  const pages = files.map(file => [`${file}.md`, renderPage(file, readDefinition(file))]);
  return new Map([['README.md', renderIndex(files)], ...pages]);
}

function renderIndex(files) {
  const rows = files.map(file => {
    const { name, is_frontend: isFrontend, recognize, metrics = {} } = readDefinition(file);
    const kind = isFrontend ? 'frontend' : 'server';
    return `| [${name}](${file}.md) | ${kind} | ${Object.keys(metrics).length} | ${formatNames(recognize.prefixes)} |`;
  });
  return `# Servers

Servelens understands the metrics of these servers. Each page lists what findings use, and what every metric means.
\`servelens servers explain METRIC\` prints the same about one metric.

| server | kind | metrics | recognized by metrics that start with |
| --- | --- | ---: | --- |
${rows.join('\n')}

## Your own servers

A file in YAML or JSON defines a further server. A file with the name of a known server replaces it.

\`\`\`yaml
# mine.yaml
name: Mine
recognize: { prefixes: [mine_] }
key_metrics:
  - name: mine_queue
    stat: max
    meaning: queue depth
roles:
  waiting: { metrics: [mine_queue], operation: sum }
metrics:
  mine_queue:
    type: gauge
    unit: requests
    better: lower
    meaning: Requests that wait.
    watch: It grows during the run.
    do: Start more servers.
\`\`\`

\`\`\`sh
servelens servers show Mine --servers mine.yaml
servelens read summary artifacts/run1 --servers mine.yaml
\`\`\`

\`--servers FILE\` is an option of \`servelens servers\`, and of \`summary\`, \`report\`, \`compare\` and \`check\` of \`servelens read\`.
The schema is [server-definition.1.schema.json](../../schemas/server-definition.1.schema.json). Counters are named without
\`_total\`. The [files of the known servers](../../packages/servers/servers) are examples.
`;
}

function renderPage(file, { name, docs, is_frontend: isFrontend, recognize, roles = {}, metrics = {} }) {
  const kind = isFrontend
    ? 'A frontend, which forwards requests to other servers.'
    : 'A server that computes requests.';
  const source = docs === undefined ? '' : ` Its metrics are documented at <${docs}>.`;
  const roleRows = Object.entries(roles).map(
    ([role, { metrics: names, adds_metrics: isSum, operation }]) =>
      `| \`${role}\` | ${formatNames(names, isSum ? ' + ' : ', else ')} | ${operation} |`,
  );
  const metricRows = Object.entries(metrics).map(
    ([metric, description]) =>
      `| \`${metric}\`<br>${describeType(description)} | ${escapeCell(description.meaning)} | ${describeAdvice(description)} |`,
  );
  return `<!-- Written by packages/servers/scripts/pages.mjs from packages/servers/servers/${file}.yaml. Do not edit. -->

# ${name}

${kind} It is recognized by metrics that start with ${formatNames(recognize.prefixes)}.${source}

## Roles

Findings and tables read metrics by their role. Of several metrics, the first that an endpoint has is used; metrics with a plus
sign are added.

| role | metrics | combined by |
| --- | --- | --- |
${roleRows.join('\n')}

## Metrics

Counters are named as in the exports, without \`_total\`.

| metric | meaning | what to watch, and what to do |
| --- | --- | --- |
${metricRows.join('\n')}
`;
}

function formatNames(names, separator = ', ') {
  return names.map(name => `\`${name}\``).join(separator);
}

function describeType({ type, unit, better = 'neither', versions }) {
  const direction = better === 'neither' ? [] : [`${better} is better`];
  return escapeCell(
    [type, ...(unit ? [unit] : []), ...direction, ...(versions ? [versions] : [])].join(', '),
  );
}

function describeAdvice({ watch, do: advice }) {
  return escapeCell([watch, advice].filter(Boolean).join(' → '));
}

function escapeCell(text) {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}

function main() {
  mkdirSync(pagesFolder, { recursive: true });
  for (const [name, content] of generatePages()) {
    const file = join(pagesFolder, name);
    if (!existsSync(file) || readFileSync(file, 'utf8') !== content) writeFileSync(file, content);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
