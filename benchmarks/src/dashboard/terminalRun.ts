import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `web` is the page in a browser, with a client that receives its updates like a browser. */
export type Display = 'dashboard' | 'web' | 'none';

/** The options of each display. */
const OPTIONS: Readonly<Record<Display, string>> = {
  dashboard: '--ui dashboard',
  web: '--ui none --web 0',
  none: '--ui none',
};

/** Matches the address of the page in the log of a run. */
const ADDRESS = /http:\/\/127\.0\.0\.1:\d+\/[\w-]+\//;
/** Time between two attempts to find the address, in milliseconds. */
const POLL_MS = 200;

/** The cost of a run, and what it measured. */
export interface RunCost {
  /** CPU time of the whole process, as a share of one core during the load. */
  readonly cpu_share: number;
  /** Bytes written to the terminal, per second of the load. */
  readonly bytes_per_s: number;
  readonly ttft_p50_ms: number;
  readonly ttft_p99_ms: number;
  readonly itl_p50_ms: number;
  readonly itl_p99_ms: number;
}

const SERVELENS = fileURLToPath(new URL('../../../apps/cli/bin/servelens.js', import.meta.url));

/** Code preloaded into the run, which writes its CPU time in microseconds to a file on exit. */
const USAGE_REPORT = `
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
if (isMainThread) process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  writeFileSync(process.env.SERVELENS_BENCH_USAGE, String(user + system));
});`;

/** Reports whether the program that creates a pseudo-terminal is installed. */
export function findScript(): boolean {
  return spawnSync('script', ['--version']).status === 0;
}

/** Runs a load with a display in a pseudo-terminal, and returns its cost. */
export async function measureRun(
  url: string,
  display: Display,
  seconds: string,
  rate: string,
): Promise<RunCost> {
  const folder = mkdtempSync(join(tmpdir(), 'servelens-dashboard-'));
  const [usage, output] = [join(folder, 'usage'), join(folder, 'output')];
  const load = `--model m --tokenizer builtin --url ${url} --streaming --request-rate ${rate} --benchmark-duration ${seconds} --osl 64`;
  const run = `exec '${process.execPath}' '${SERVELENS}' profile ${load} ${OPTIONS[display]} --artifact-dir '${folder}/run'`;
  const env = {
    ...process.env,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(USAGE_REPORT)}`,
    SERVELENS_BENCH_USAGE: usage,
    TERM: 'xterm-256color',
  };
  try {
    const ended = new AbortController();
    const viewer = display === 'web' ? receiveUpdates(output, ended.signal) : undefined;
    await runInTerminal(`stty cols 100 rows 30; ${run}`, output, env).finally(() => ended.abort());
    await viewer;
    return readCost(Number(readFileSync(usage, 'utf8')), statSync(output).size, `${folder}/run`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runInTerminal(command: string, output: string, env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn('script', ['-qefc', command, output], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const code = await new Promise(resolve => child.on('exit', resolve));
  if (code !== 0) throw new Error(`the run failed with code ${code}: ${readFileSync(output, 'utf8')}`);
}

/** Opens the page of a run as soon as its address is in the log, and receives all updates. */
async function receiveUpdates(output: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const url = existsSync(output) ? ADDRESS.exec(readFileSync(output, 'utf8'))?.[0] : undefined;
    if (url !== undefined) return await readEvents(url, signal);
    await new Promise(resolve => setTimeout(resolve, POLL_MS));
  }
}

/** Reads the events of a page until the run has ended. The connection may break at the end. */
async function readEvents(url: string, signal: AbortSignal): Promise<void> {
  const { body } = await fetch(`${url}events?after=0`, { signal });
  try {
    for await (const _ of body!);
  } catch {}
}

function readCost(cpuMicroseconds: number, bytes: number, folder: string): RunCost {
  const document = JSON.parse(readFileSync(join(folder, 'profile_export_aiperf.json'), 'utf8'));
  const seconds: number = document.benchmark_duration.avg;
  const { time_to_first_token: ttft, inter_token_latency: itl } = document;
  return {
    cpu_share: cpuMicroseconds / 1e6 / seconds,
    bytes_per_s: bytes / seconds,
    ttft_p50_ms: ttft.p50,
    ttft_p99_ms: ttft.p99,
    itl_p50_ms: itl.p50,
    itl_p99_ms: itl.p99,
  };
}
