import { existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CommandOutput, runCommand, runOrThrow } from '../support/command.ts';
import { runScript } from '../support/python.ts';
import { MODEL } from '../support/simulator.ts';
import { writeTokenizer } from './tokenizer.ts';

/** Options of every run: no screens, no downloads, and few processes. */
const COMMON_ARGS = [
  ...['--model', MODEL, '--ui', 'none', '--no-gpu-telemetry', '--random-seed', '1'],
  ...['--workers-max', '1', '--record-processors', '1'],
];

/** Maximum duration of a command. AIPerf does not end after some errors. */
const RUN_TIMEOUT_MS = 400_000;
const POLL_INTERVAL_MS = 50;

/** AIPerf with a home folder and a tokenizer, in a temporary folder that the caller removes. */
export class Aiperf {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'aiperf-'));
  readonly tokenizer: string = join(this.folder, 'tokenizer');
  readonly #peer: string;
  readonly #bin: string;
  readonly #env: Readonly<Record<string, string>>;

  /** `peer` is the folder in which AIPerf is installed. */
  constructor(peer: string) {
    this.#peer = peer;
    this.#bin = join(peer, 'bin/aiperf');
    const home = join(this.folder, 'home');
    mkdirSync(home);
    // AIPerf writes settings and caches to its home folder. The variable CI changes its output.
    this.#env = {
      HOME: home,
      XDG_CACHE_HOME: join(home, '.cache'),
      DO_NOT_TRACK: '1',
      CI: '',
      NO_COLOR: '1',
    };
    writeTokenizer(this.tokenizer);
  }

  /** Runs `aiperf profile` and returns the folder of its files. Throws if it fails. */
  async profile(name: string, url: string, args: readonly string[]): Promise<string> {
    const artifacts = join(this.folder, name);
    await this.run(['profile', ...this.#listArgs(url, artifacts), ...args]);
    return artifacts;
  }

  /** Runs `aiperf profile` against a server that rejects all requests, and returns the folder of its files. */
  async profileFailing(name: string, url: string, args: readonly string[]): Promise<string> {
    const artifacts = join(this.folder, name);
    const { code, output } = await this.#spawn(['profile', ...this.#listArgs(url, artifacts), ...args]);
    if (code !== 1) throw new Error(`aiperf exited with code ${code} instead of 1: ${output}`);
    return artifacts;
  }

  /**
   * Runs `aiperf profile` and kills all of its processes as soon as it has written `records` lines to profile_export.jsonl, and a
   * scrape after the start of the first request. Returns the folder of its files. Throws if it ends earlier.
   */
  async profileAndKill(name: string, url: string, args: readonly string[], records: number): Promise<string> {
    const artifacts = join(this.folder, name);
    const killing = new AbortController();
    const running = this.#spawn(['profile', ...this.#listArgs(url, artifacts), ...args], killing.signal);
    let hasEnded = false;
    const ended = running.finally(() => {
      hasEnded = true;
    });
    while (!hasEnded && !hasWritten(artifacts, records)) await sleep(POLL_INTERVAL_MS);
    killing.abort();
    const { code, output } = await ended;
    if (code !== null) throw new Error(`aiperf exited with code ${code} before it was killed: ${output}`);
    return artifacts;
  }

  /**
   * Runs a command of AIPerf, with additional environment variables, and returns its stdout. Throws if it fails.
   */
  run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
    return runOrThrow(this.#bin, args, { env: { ...this.#env, ...env }, timeoutMs: RUN_TIMEOUT_MS });
  }

  /** Runs a Python script of this folder with AIPerf's libraries and parses its output as JSON. */
  runScript(name: string, args: readonly string[]): Promise<unknown> {
    return runScript(this.#peer, join(import.meta.dirname, name), args, this.#env);
  }

  #spawn(args: readonly string[], signal?: AbortSignal): Promise<CommandOutput> {
    const options = { env: this.#env, timeoutMs: RUN_TIMEOUT_MS, ...(signal && { signal }) };
    return runCommand(this.#bin, args, options);
  }

  #listArgs(url: string, artifacts: string): string[] {
    return [...COMMON_ARGS, '--url', url, '--tokenizer', this.tokenizer, '--artifact-dir', artifacts];
  }
}

/** Reports whether a run has written a number of requests, and a scrape after the start of the first of them. */
function hasWritten(artifacts: string, records: number): boolean {
  const requests = readCompleteLines(join(artifacts, 'profile_export.jsonl'));
  const scrape = readCompleteLines(join(artifacts, 'server_metrics_export.jsonl')).at(-1);
  if (requests.length < records || scrape === undefined) return false;
  const startsNs = requests.map(line => Number(JSON.parse(line).metadata.request_start_ns));
  return JSON.parse(scrape).timestamp_ns > Math.min(...startsNs);
}

function readCompleteLines(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}
