// Runs the commands in the pages of docs/ and in the README, and writes their output into the pages.
//
//   npm run docs              updates the output of commands on the recorded runs in docs/runs
//   npm run docs -- --check   fails if this output is stale, without changing files
//   npm run docs -- --live    also runs the commands that need a live server, which takes several minutes
//   npm run docs -- --live docs/mark.md  updates one page
//   npm run docs -- --record  records the runs in docs/runs again, then updates all output
//   npm run docs -- --pictures  updates the screenshots; see scripts/updatePictures.mjs
//
// A page marks a block of commands with a comment in the line before it:
//
//   <!-- output -->            commands on the recorded runs, with reproducible output
//   <!-- live output: SETUP -->  commands on a live server, which SETUP starts
//
//   <!-- commands: NAME -->      a table of all commands; see scripts/commandTables.mjs
//
// In the block, lines that start with "$ " are commands. A command continues on the next line after a backslash
// or within double quotes. The other lines are output.
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { updateCommandTables } from './commandTables.mjs';
import { createDocsFolder, root } from './docsFolder.mjs';

const runs = join(root, 'docs', 'runs');
const BLOCK = /(<!-- (output|live output: [^\n]*) -->\n```console\n)([\s\S]*?)(\n```)/g;

/** Sizes to which the files of a run are truncated, to create a killed run. */
const KILLED_JOURNAL_BYTES = 20_000;
const KILLED_REQUESTS_BYTES = 94_000;

/** The commands that recorded the runs in docs/runs. */
const RECORDINGS = [
  {
    name: 'main',
    server: 'simulate --port 8000 --max-running 24 --kv-blocks 900 --arrival-rate 9 --seed 7',
    client: 'collect --url localhost:8000 --warmup-duration 4 --duration 24 --slice-duration 2',
    files: ['server_metrics.journal'],
  },
  {
    name: 'branch',
    server: 'simulate --port 8000 --max-running 24 --kv-blocks 900 --arrival-rate 9 --seed 7 --speed 0.8',
    client: 'collect --url localhost:8000 --warmup-duration 4 --duration 24 --slice-duration 2',
    files: ['server_metrics.journal'],
  },
  {
    name: 'profile',
    server: 'simulate --port 8000 --max-running 4 --kv-blocks 160 --max-model-len 1024 --seed 7',
    client:
      'profile --model servelens/simulated-8b --tokenizer builtin --url localhost:8000 --streaming --request-rate 7 --isl 150 ' +
      '--isl-stddev 30 --osl 60 --osl-stddev 15 --extra-inputs ignore_eos:true --warmup-request-count 12 ' +
      '--request-count 45 --slice-duration 2 --random-seed 7 ' +
      "--goodput 'time_to_first_token:150 inter_token_latency:15'",
    files: ['server_metrics.journal', 'profile_export.jsonl'],
  },
];

const [mode, pages] = parseArguments(process.argv.slice(2));
const { folder, runCommand, withServer } = createDocsFolder();
cpSync(join(runs, 'files'), folder, { recursive: true });
try {
  if (mode === '--record') for (const recording of RECORDINGS) await record(recording);
  prepareRuns();
  const stale = [];
  for (const page of pages) {
    const text = readFileSync(join(root, page), 'utf8');
    const updated = await updateCommandTables(await updateBlocks(text));
    if (updated === text) continue;
    stale.push(page);
    if (mode === '--check') printDifference(text, updated);
    else writeFileSync(join(root, page), updated);
  }
  console.log(
    stale.length === 0
      ? 'All output is current.'
      : `${mode === '--check' ? 'stale' : 'updated'}: ${stale.join(', ')}`,
  );
  if (mode === '--check' && stale.length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Returns the mode and the pages to update, by default all pages. Exits if an argument is invalid. */
function parseArguments(args) {
  const [first = ''] = args;
  const isMode = ['--check', '--live', '--record'].includes(first);
  const pages = isMode ? args.slice(1) : args;
  if (pages.some(name => !name.endsWith('.md'))) {
    console.error('usage: npm run docs -- [--check | --live | --record | --pictures] [PAGE...]');
    process.exit(2);
  }
  return [isMode ? first : '', pages.length > 0 ? pages : listPages()];
}

/** Copies the recorded runs and writes their exports. Also creates a run with its journal, and a killed run. */
function prepareRuns() {
  for (const { name, files } of RECORDINGS) {
    const run = join(folder, name);
    mkdirSync(run, { recursive: true });
    for (const file of files) copyFileSync(join(runs, name, file), join(run, file));
    runCommand(`servelens recover ${name} --server-metrics-formats json csv parquet jsonl`);
    rmSync(join(run, 'server_metrics.journal'));
  }
  cpSync(join(folder, 'main'), join(folder, 'kept'), { recursive: true });
  copyFileSync(join(runs, 'main', 'server_metrics.journal'), join(folder, 'kept', 'server_metrics.journal'));
  const killed = join(folder, 'killed');
  cpSync(join(runs, 'profile'), killed, { recursive: true });
  truncateSync(join(killed, 'server_metrics.journal'), KILLED_JOURNAL_BYTES);
  truncateSync(join(killed, 'profile_export.jsonl'), KILLED_REQUESTS_BYTES);
}

/** Records one run with a simulated server. */
async function record({ name, server, client, files }) {
  console.log(`recording ${name}`);
  await withServer(`servelens ${server}`, () =>
    runCommand(`servelens ${client} --keep-journal --artifact-dir ${name}`),
  );
  mkdirSync(join(runs, name), { recursive: true });
  for (const file of files) copyFileSync(join(folder, name, file), join(runs, name, file));
  rmSync(join(folder, name), { recursive: true });
}

/** Returns the pages that may contain output. */
function listPages() {
  const pages = readdirSync(join(root, 'docs')).filter(name => name.endsWith('.md'));
  return ['README.md', ...pages.map(name => `docs/${name}`)];
}

/** Runs the commands of all blocks of a page and returns the page with their output. */
async function updateBlocks(text) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(BLOCK)) {
    const [matchedText, head, kind, block, tail] = match;
    parts.push(text.slice(end, match.index), head, await updateBlock(kind, block), tail);
    end = match.index + matchedText.length;
  }
  return parts.join('') + text.slice(end);
}

/** Returns a block with the output of its commands. */
async function updateBlock(kind, block) {
  const run = () => readCommands(block).map(command => `$ ${command}\n${runCommand(command)}`.trimEnd());
  if (kind === 'output') return run().join('\n');
  if (mode !== '--live' && mode !== '--record') return block;
  return (await withServer(kind.slice('live output: '.length), run)).join('\n');
}

/** Returns the commands of a block, without the prompt. */
function readCommands(block) {
  const commands = [];
  let isOpen = false;
  for (const line of block.split('\n')) {
    if (isOpen) commands.push(`${commands.pop()}\n${line}`);
    else if (line.startsWith('$ ')) commands.push(line.slice(2));
    else continue;
    const command = commands.at(-1);
    isOpen = command.endsWith('\\') || (command.split('"').length - 1) % 2 === 1;
  }
  return commands;
}

/** Prints the removed and the added lines of a page. */
function printDifference(before, after) {
  const [old, current] = [new Set(before.split('\n')), new Set(after.split('\n'))];
  for (const line of old) if (!current.has(line)) console.log(`- ${line}`);
  for (const line of current) if (!old.has(line)) console.log(`+ ${line}`);
}
