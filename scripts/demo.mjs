// The main job against our own simulated server: a run with warm-up and slices, all exports, and a look at them.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cli = join(root, 'apps', 'cli', 'bin', 'servelens.js');
const folder = 'demo-output';

const server = spawn(
  process.execPath,
  [
    cli,
    'simulate',
    '--port',
    '0',
    '--arrival-rate',
    '34',
    '--max-running',
    '48',
    '--kv-blocks',
    '1500',
    '--seed',
    '7',
  ],
  { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
);
process.on('exit', () => server.kill());

const url = await firstUrl(server.stdout);
const options = ['--warmup-duration', '4', '--duration', '16', '--slice-duration', '2'];
const formats = ['--server-metrics-formats', 'json', 'csv', 'parquet', 'jsonl'];
rmSync(join(root, folder), { recursive: true, force: true });

await show('collect', '--url', url, ...options, ...formats, '--artifact-dir', folder);
await show(
  'validate',
  ...['json', 'csv', 'parquet', 'jsonl'].map(end => join(folder, `server_metrics_export.${end}`)),
);

// The process would wait for the server for ever.
process.exit(0);

/** Runs one command of ours as a user would type it. */
async function show(...args) {
  console.log(`\n$ servelens ${args.join(' ')}\n`);
  const command = spawn(process.execPath, [cli, ...args], { cwd: root, stdio: 'inherit' });
  const code = await new Promise(resolve => command.on('exit', resolve));
  if (code !== 0) process.exit(code ?? 1);
}

/** The base URL that the simulated server says it listens at. */
async function firstUrl(output) {
  for await (const line of createInterface({ input: output })) {
    console.log(line);
    const found = /http:\/\/\S+$/.exec(line);
    if (found) return found[0];
  }
  throw new Error('the simulated server did not start');
}
