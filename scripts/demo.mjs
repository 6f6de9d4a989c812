// The demo: loads a simulated server with a warm-up and timeslices, writes all exports, validates them and
// writes a report page.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cli = join(root, 'apps', 'cli', 'bin', 'servelens.js');
const folder = 'demo-output';

const model = 'servelens/simulated-8b';
// Small enough that some requests have to wait.
const server = spawn(
  process.execPath,
  [
    cli,
    'simulate',
    '--port',
    '0',
    '--model',
    model,
    '--max-running',
    '24',
    '--kv-blocks',
    '700',
    '--seed',
    '7',
  ],
  { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
);
process.on('exit', () => server.kill());

const url = await firstUrl(server.stdout);
const load = [
  '--streaming',
  '--request-rate',
  '20',
  '--isl',
  '200',
  '--isl-stddev',
  '30',
  '--osl',
  '120',
  '--osl-stddev',
  '30',
  '--extra-inputs',
  'ignore_eos:true',
];
const times = [
  '--warmup-duration',
  '4',
  '--benchmark-duration',
  '16',
  '--slice-duration',
  '2',
  '--random-seed',
  '7',
];
const formats = ['--server-metrics-formats', 'json', 'csv', 'parquet', 'jsonl'];
const goodput = ['--goodput', 'time_to_first_token:150 inter_token_latency:15'];
rmSync(join(root, folder), { recursive: true, force: true });

await show(
  'profile',
  '--model',
  model,
  '--url',
  url,
  ...load,
  ...times,
  ...goodput,
  ...formats,
  '--artifact-dir',
  folder,
);
await show('validate', folder);
await show('read', 'report', folder);

// The simulated server would keep this process running.
process.exit(0);

/** Prints and runs a servelens command. */
async function show(...args) {
  console.log(`\n$ servelens ${args.map(quoted).join(' ')}\n`);
  const command = spawn(process.execPath, [cli, ...args], { cwd: root, stdio: 'inherit' });
  const code = await new Promise(resolve => command.on('exit', resolve));
  if (code !== 0) process.exit(code ?? 1);
}

/** Quotes an argument for a shell. */
function quoted(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word}'`;
}

/** Returns the first URL that the simulated server prints. */
async function firstUrl(output) {
  for await (const line of createInterface({ input: output })) {
    console.log(line);
    const found = /http:\/\/\S+$/.exec(line);
    if (found) return found[0];
  }
  throw new Error('the simulated server did not start');
}
