// Writes a page per server to docs/servers, from the files in servers/, and docs/derived.md.
// Run `node scripts/pages.mjs` after a change; test/pages.test.ts fails if a page is outdated.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { derivedPageFile, renderDerivedPage } from './derivedPage.mjs';
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
    const { name, kind = 'engine', recognize, metrics = {} } = readDefinition(file);
    const names = shorten([
      ...recognize.prefixes,
      ...(recognize.renamed ?? []),
      ...(recognize.metrics ?? []),
    ]);
    return `| [${name}](${file}.md) | ${kind} | ${Object.keys(metrics).length} | ${names} |`;
  });
  return `# Servers

Servelens understands the metrics of these servers. Each page lists what findings use, and what every metric means.
\`servelens servers explain METRIC\` prints the same about one metric.

| server | kind | metrics | recognized by |
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

\`--servers FILE\` is an option of all commands that collect or read metrics, and \`servers\` in the
[configuration file](../config.md) lists such files. The definitions are recorded in the journal and in the exports of the run
(\`servelens_config.server_definitions\`), so commands that read the run need the option only to replace them. CSV exports, JSONL
exports without JSON, and the files of \`--compat aiperf-0.13\` do not contain them. An invalid definition in an export is
ignored with a message.

The schema is [server-definition.1.schema.json](../../schemas/server-definition.1.schema.json). Counters are named without
\`_total\`. The [files of the known servers](../../packages/servers/servers) are examples.
`;
}

/** The sentence about each kind of server. */
const KINDS = {
  gateway: 'A gateway, which forwards requests of any kind to other servers.',
  frontend: 'A frontend, which forwards requests to engines.',
  engine: 'An engine, which computes requests.',
  cache: 'A cache, which keeps KV cache for engines.',
  device: 'An exporter for devices, such as GPUs.',
};

function renderPage(file, { name, docs, kind = 'engine', recognize, roles = {}, metrics = {} }) {
  const source = docs === undefined ? '' : ` Its metrics are documented at <${docs}>.`;
  const roleRows = Object.entries(roles).map(
    ([role, { metrics: names, adds_metrics: isSum, operation }]) =>
      `| \`${role}\` | ${formatNames(addOlderNames(names, metrics), isSum ? ' + ' : ', else ')} | ${operation} |`,
  );
  const metricRows = Object.entries(metrics).map(
    ([metric, description]) =>
      `| \`${metric}\`<br>${describeType(description)} | ${escapeCell(description.meaning)} | ${describeAdvice(description)} |`,
  );
  return `<!-- Written by packages/servers/scripts/pages.mjs from packages/servers/servers/${file}.yaml. Do not edit. -->

# ${name}

${KINDS[kind]} It is recognized by ${describeRecognition(recognize)}.${source}

${describeVersion(recognize)}

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

/** Adds the older names of metrics behind each name. */
function addOlderNames(names, metrics) {
  return names.flatMap(name => {
    const older = Object.keys(metrics).filter(other => metrics[other].replaced_by === name);
    return [name, ...addOlderNames(older, metrics)];
  });
}

function formatNames(names, separator = ', ') {
  return names.map(name => `\`${name}\``).join(separator);
}

/** The number of names that the index shows. */
const LISTED_NAMES = 3;

function shorten(names) {
  const more = names.length > LISTED_NAMES ? ` and ${names.length - LISTED_NAMES} more` : '';
  return `${formatNames(names.slice(0, LISTED_NAMES))}${more}`;
}

function describeRecognition({ prefixes, renamed = [], metrics = [], labels = [] }) {
  const parts = [
    ...(prefixes.length > 0 ? [`metrics that start with ${formatNames([...prefixes, ...renamed])}`] : []),
    ...(metrics.length > 0 ? [`the metrics ${formatNames(metrics)}`] : []),
  ];
  const condition = labels.length > 0 ? `, if they have a label ${formatNames(labels, ' or ')}` : '';
  return `${parts.join(', and by ')}${condition}`;
}

/** Describes where a server states its version. Definitions of users may not say it. */
function describeVersion({ build_info: infos }) {
  if (infos === undefined) return 'Where the server states its version is not known.';
  if (infos.length === 0)
    return 'The known pages of the server do not have its version, so it stays unknown.';
  const places = infos.map(({ metric, version }) => `the label \`${version}\` of \`${metric}\``);
  return `Its version is ${places.join(', else ')}.`;
}

function describeType({ type, unit, better = 'neither', versions, since, until, replaced_by: newer }) {
  const facts = [
    type,
    unit,
    better === 'neither' ? undefined : `${better} is better`,
    since && `since ${since}`,
    until && `up to ${until}`,
    versions,
    newer && `now \`${newer}\``,
  ];
  return escapeCell(facts.filter(Boolean).join(', '));
}

function describeAdvice({ watch, do: advice }) {
  return escapeCell([watch, advice].filter(Boolean).join(' → '));
}

function escapeCell(text) {
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}

function main() {
  mkdirSync(pagesFolder, { recursive: true });
  const pages = [...generatePages()].map(([name, content]) => [join(pagesFolder, name), content]);
  for (const [file, content] of [...pages, [derivedPageFile, renderDerivedPage()]]) {
    if (!existsSync(file) || readFileSync(file, 'utf8') !== content) writeFileSync(file, content);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
