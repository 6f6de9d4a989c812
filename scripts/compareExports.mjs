// Exports the same recorded runs with a base version of Servelens and with this version, and compares the files.
//
//   npm run compare-exports -- --base v0.1.0          checks out and builds a revision
//   npm run compare-exports -- --base DIR             uses a built checkout of the base version
//   npm run compare-exports -- --base v0.1.0 --renames renames.json --tolerance 1e-9
//   npm run compare-exports -- --base v0.1.0 --runs DIR  exports the recorded runs in the subfolders of DIR
//
// Without --runs, runs are recorded with the base version. Files must be equal, with three exceptions: text in
// --renames (a JSON object that maps base names and versions to new ones), percentile estimates, whose relative
// difference is limited by --tolerance (default 0), and percentile_warnings, whose differences are only
// counted.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values: options } = parseArgs({
  options: {
    base: { type: 'string' },
    runs: { type: 'string' },
    renames: { type: 'string' },
    tolerance: { type: 'string', default: '0' },
  },
});
if (options.base === undefined) {
  console.error('missing --base; expected a revision or the folder of a built checkout');
  process.exit(2);
}

const workFolder = mkdtempSync(join(tmpdir(), 'compare-exports-'));
const renames = options.renames ? JSON.parse(readFileSync(options.renames, 'utf8')) : {};
const tolerance = Number(options.tolerance);
/** Folders of the built checkouts. */
const checkouts = { base: await prepareBase(options.base), new: root };
const { readServerMetricsParquet } = await import(
  pathToFileURL(join(root, 'packages', 'formats', 'dist', 'parquet', 'index.js')).href
);

const FORMATS = ['json', 'csv', 'jsonl', 'parquet'];
/** Sets of `servelens export` options to compare. */
const VARIANTS = [
  ['--percentile-method', 'polynomial'],
  ['--percentile-method', 'moments'],
  ['--percentile-method', 'linear', '--slice-duration', '3'],
  ['--json-layout', 'legacy', '--percentile-method', 'polynomial'],
  ['--window', '1..4', '--percentile-method', 'polynomial'],
];

const failures = [];
let comparedFiles = 0;
let changedWarnings = 0;
/** The relative differences of the percentile estimates that are not equal. */
const differences = [];

const runs = options.runs ?? (await recordRuns(checkouts.base, join(workFolder, 'runs')));
for (const run of readdirSync(runs)) {
  if (run.startsWith('killed')) await compareRecovery(join(runs, run), run);
  else await compareReexport(join(runs, run), run);
}
differences.sort((a, b) => a - b);
const formatQuantile = q => (differences[Math.floor(q * (differences.length - 1))] ?? 0).toPrecision(2);
console.log(`${comparedFiles} files compared, ${failures.length} differ`);
console.log(
  `${differences.length} percentile estimates differ; relative difference: p50 ${formatQuantile(0.5)}, p99 ${formatQuantile(0.99)}, max ${formatQuantile(1)}; ` +
    `${changedWarnings} percentile_warnings differ`,
);
for (const failure of failures) console.log(`  ${failure}`);
rmSync(workFolder, { recursive: true, force: true });
process.exit(failures.length > 0 ? 1 : 0);

/** Returns the folder of a built checkout of the base version. */
async function prepareBase(base) {
  if (existsSync(join(base, 'apps', 'cli', 'dist'))) return base;
  const folder = join(workFolder, 'base');
  execFileSync('git', ['worktree', 'add', '--detach', folder, base], { cwd: root, stdio: 'inherit' });
  process.on('exit', () => spawnSync('git', ['worktree', 'remove', '--force', folder], { cwd: root }));
  execFileSync('npm', ['run', 'build'], { cwd: folder, stdio: 'inherit' });
  return folder;
}

function runCli(checkout, ...args) {
  const bin = join(checkout, 'apps', 'cli', 'bin', 'servelens.js');
  return spawnSync(process.execPath, [bin, ...args], { encoding: 'utf8' });
}

/**
 * Records four runs with simulated servers: a collect run of several kinds of servers, a profile run, and a
 * killed run of each command.
 */
async function recordRuns(checkout, folder) {
  mkdirSync(folder, { recursive: true });
  const servers = await Promise.all(
    [
      ['--kind', 'vllm', '--kv-blocks', '700', '--max-running', '24'],
      ['--kind', 'sglang', '--arrival-rate', '8'],
      ['--kind', 'trtllm', '--arrival-rate', '8'],
      ['--kind', 'dynamo', '--side-port', '0', '--arrival-rate', '8'],
    ].map(args => startServer(checkout, args)),
  );
  const urls = servers.map(({ url }) => url);
  const files = ['--server-metrics-formats', ...FORMATS, '--keep-journal'];
  const load = [
    '--model',
    'servelens/simulated-8b',
    '--tokenizer',
    'builtin',
    '--url',
    urls[0],
    '--streaming',
    '--request-rate',
    '12',
  ];
  const workload = [
    '--isl',
    '150',
    '--osl',
    '60',
    '--warmup-duration',
    '2',
    '--random-seed',
    '3',
    '--slice-duration',
    '2',
  ];
  const toOutput = name => ['--artifact-dir', join(folder, name)];
  try {
    runCli(
      checkout,
      'collect',
      '--server-metrics',
      ...urls.slice(1),
      '--warmup-duration',
      '2',
      '--duration',
      '10',
      ...files,
      ...toOutput('fleet'),
    );
    runCli(
      checkout,
      'profile',
      ...load,
      ...workload,
      '--benchmark-duration',
      '10',
      ...files,
      ...toOutput('profile'),
    );
    await killAfter(
      7,
      checkout,
      'profile',
      ...load,
      ...workload,
      '--benchmark-duration',
      '60',
      ...files,
      ...toOutput('killed-profile'),
    );
    await killAfter(
      7,
      checkout,
      'collect',
      '--server-metrics',
      urls[1],
      '--duration',
      '60',
      ...files,
      ...toOutput('killed-collect'),
    );
  } finally {
    for (const { process: server } of servers) server.kill();
  }
  return folder;
}

/** Starts a simulated server, and waits until it accepts connections. Returns its process and URL. */
function startServer(checkout, args) {
  const bin = join(checkout, 'apps', 'cli', 'bin', 'servelens.js');
  const server = spawn(process.execPath, [bin, 'simulate', '--port', '0', '--seed', '5', ...args]);
  return new Promise((resolve, reject) => {
    server.on('exit', code => reject(new Error(`servelens simulate exited with code ${code}`)));
    server.stdout.on('data', chunk => {
      const url = /http:\/\/\S+/.exec(String(chunk))?.[0];
      if (url) resolve({ process: server, url });
    });
  });
}

function killAfter(seconds, checkout, ...args) {
  const bin = join(checkout, 'apps', 'cli', 'bin', 'servelens.js');
  const command = spawn(process.execPath, [bin, ...args], { stdio: 'ignore' });
  setTimeout(() => command.kill('SIGKILL'), seconds * 1000);
  return new Promise(resolve => command.on('exit', resolve));
}

/** Exports a run from each source with each set of options in VARIANTS, and compares the results. */
async function compareReexport(folder, run) {
  for (const from of ['journal', 'parquet', 'jsonl']) {
    for (const variant of VARIANTS) {
      const name = `${run} from ${from}, ${variant.join(' ')}`;
      const formats = FORMATS.filter(format => from !== 'parquet' || format !== 'jsonl');
      const outputs = {};
      for (const [key, checkout] of Object.entries(checkouts)) {
        outputs[key] = join(workFolder, 'exports', key);
        rmSync(outputs[key], { recursive: true, force: true });
        const args = [
          'export',
          folder,
          '--from',
          from,
          '--formats',
          ...formats,
          ...variant,
          '-o',
          outputs[key],
        ];
        const { status, stderr } = runCli(checkout, ...args);
        if (status !== 0)
          failures.push(`${name}: ${key} exited with code ${status}: ${stderr.trim().split('\n').at(-1)}`);
      }
      await compareFolders(outputs.base, outputs.new, name);
    }
  }
}

/** Recovers copies of a killed run with both versions, and compares the results. */
async function compareRecovery(folder, run) {
  const outputs = {};
  for (const [key, checkout] of Object.entries(checkouts)) {
    outputs[key] = join(workFolder, 'recovered', key, run);
    mkdirSync(outputs[key], { recursive: true });
    for (const file of readdirSync(folder))
      if (!file.endsWith('.sock')) execFileSync('cp', [join(folder, file), outputs[key]]);
    runCli(checkout, 'recover', outputs[key]);
  }
  await compareFolders(outputs.base, outputs.new, `${run}, recovered`);
}

async function compareFolders(base, latest, name) {
  const files = new Set([base, latest].filter(existsSync).flatMap(folder => readdirSync(folder)));
  for (const file of [...files].filter(file => /\.(json|csv|jsonl|parquet)$/.test(file)).sort()) {
    comparedFiles++;
    const paths = [join(base, file), join(latest, file)];
    const missingPath = paths.find(path => !existsSync(path));
    const difference = missingPath ? `missing: ${missingPath}` : await compareFiles(...paths);
    if (difference) failures.push(`${name}: ${file}: ${difference}`);
  }
}

/** Describes the first difference that is not an exception. Returns undefined if there is no such difference. */
async function compareFiles(base, latest) {
  const isParquet = base.endsWith('.parquet');
  const [a, b] = isParquet
    ? [replaceNames(await formatParquet(base)), await formatParquet(latest)]
    : [replaceNames(readFileSync(base, 'utf8')), readFileSync(latest, 'utf8')];
  if (a === b) return undefined;
  if (base.endsWith('.json')) return compareValues(parseExact(a), parseExact(b), []);
  if (base.endsWith('.csv')) return compareTables(a, b);
  const [left, right] = [a.split('\n'), b.split('\n')];
  const index = left.findIndex((line, row) => line !== right[row]);
  return `line ${index + 1}: ${truncateLine(left[index])} | ${truncateLine(right[index])}`;
}

/** Parses JSON. Returns integers of more than 15 digits as text, because a double cannot represent all of them. */
function parseExact(text) {
  return JSON.parse(text.replace(/([:[,]\s*)(-?\d{16,})(?=\s*[,}\]])/g, '$1"$2"'));
}

function compareValues(a, b, path) {
  if (a === b) return undefined;
  const name = path.at(-1);
  if (typeof a === 'number' && typeof b === 'number' && isEstimate(name)) return compareEstimates(a, b, path);
  if (name === 'percentile_warnings') {
    changedWarnings++;
    return undefined;
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null)
    return `${path.join('.')}: ${JSON.stringify(a)} | ${JSON.stringify(b)}`;
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const difference = compareValues(a[key], b[key], [...path, key]);
    if (difference) return difference;
  }
  return undefined;
}

/** Compares CSV files cell by cell. Sections are separated by empty lines and start with column names. */
function compareTables(a, b) {
  const [left, right] = [a, b].map(text => text.split(/\r?\n/).map(line => line.split(',')));
  if (left.length !== right.length) return `number of lines: ${left.length} | ${right.length}`;
  let header = left[0];
  for (const [row, cells] of left.entries()) {
    if (row === 0 || left[row - 1].join('') === '') header = cells;
    for (const [column, cell] of cells.entries()) {
      const latestCell = right[row][column];
      if (cell === latestCell) continue;
      const path = [`line ${row + 1}`, header[column] ?? `column ${column + 1}`];
      const difference = isEstimate(path[1])
        ? compareEstimates(Number(cell), Number(latestCell), path)
        : `${path.join(', ')}: ${cell} | ${latestCell}`;
      if (difference) return difference;
    }
  }
  return undefined;
}

function isEstimate(name) {
  return /p\d+(_estimate)?(_ms)?$/.test(name);
}

/** Records the relative difference of two estimates. Describes the difference if it exceeds the tolerance. */
function compareEstimates(a, b, path) {
  const difference = Math.abs(a - b) / Math.max(Math.abs(a), Math.abs(b));
  differences.push(difference);
  if (difference <= tolerance) return undefined;
  return `${path.join('.')}: ${a} | ${b} (relative difference ${difference.toPrecision(2)})`;
}

function replaceNames(text) {
  let result = text;
  for (const [from, to] of Object.entries(renames)) result = result.replaceAll(from, to);
  return result;
}

function truncateLine(line) {
  return line.trim().slice(0, 100);
}

/** Formats the metadata and rows of a Parquet file as text, without the export timestamp. */
async function formatParquet(path) {
  const reader = await readServerMetricsParquet(path);
  const replacer = (_, value) => (typeof value === 'bigint' ? `${value}n` : value);
  const lines = [...reader.metadata]
    .filter(([key]) => !/export_timestamp/.test(key))
    .map(([key, value]) => `${key}: ${value}`);
  for await (const batch of reader.batches({}))
    lines.push(...JSON.stringify(batch, replacer).replaceAll('],', '],\n').split('\n'));
  await reader.close();
  return lines.join('\n');
}
