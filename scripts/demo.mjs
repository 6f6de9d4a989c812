// Runs the demo: benchmarks a simulated server with a warm-up and timeslices, validates the exports and writes
// a report.
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cli = join(root, 'apps', 'cli', 'bin', 'servelens.js');
const folder = 'demo-output';
const model = 'servelens/simulated-8b';

// The limits of the simulated server are low enough that some requests are queued.
const simulate = `simulate --port 0 --model ${model} --max-running 24 --kv-blocks 700 --seed 7`;
const server = spawn(process.execPath, [cli, ...simulate.split(' ')], {
  cwd: root,
  stdio: ['ignore', 'pipe', 'inherit'],
});
process.on('exit', () => server.kill());

const url = await readFirstUrl(server.stdout);
const options = [
  `--model ${model} --tokenizer builtin --url ${url} --streaming --request-rate 20`,
  '--isl 200 --isl-stddev 30 --osl 120 --osl-stddev 30 --extra-inputs ignore_eos:true',
  '--warmup-duration 4 --benchmark-duration 16 --slice-duration 2 --random-seed 7 --unique-prompts',
  `--server-metrics-formats json csv parquet jsonl --artifact-dir ${folder}`,
].flatMap(line => line.split(' '));
rmSync(join(root, folder), { recursive: true, force: true });

await run('profile', ...options, '--goodput', 'time_to_first_token:150 inter_token_latency:15');
await run('validate', folder);
await run('read', 'report', folder);

// The simulated server would keep this process running.
process.exit(0);

/** Prints and runs a servelens command. Exits if it fails. */
async function run(...args) {
  console.log(`\n$ servelens ${args.map(quote).join(' ')}\n`);
  const command = spawn(process.execPath, [cli, ...args], { cwd: root, stdio: 'inherit' });
  const code = await new Promise(resolve => command.on('exit', resolve));
  if (code !== 0) process.exit(code ?? 1);
}

/** Quotes an argument for a shell. */
function quote(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word}'`;
}

/** Returns the first URL that the simulated server prints. */
async function readFirstUrl(output) {
  for await (const line of createInterface({ input: output })) {
    console.log(line);
    const match = /http:\/\/\S+$/.exec(line);
    if (match) return match[0];
  }
  throw new Error('the simulated server did not start');
}
