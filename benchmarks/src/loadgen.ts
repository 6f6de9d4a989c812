/**
 * What one client process can load and how exactly it measures. Usage: node benchmarks/dist/loadgen.js [--seconds 4] [--only CASE]
 *
 * The server of the first three is a process of its own that costs next to nothing (`loadgen/server.ts`). `flood`: chunks/s of
 * streams that come as fast as they are read. `plain`: requests/s with small answers, beside wrk, which posts the same body to the
 * same server. `paced`: 200 streams at several rates; every chunk carries the time at which it was written, by the same monotonic
 * clock, so that the error of the client's stamp is known chunk by chunk, the way through the kernel included. `simulator`: some
 * 200 streams against two witnesses, in an open and in a closed loop. The simulator's truth goes from when the request lay in its
 * socket to its writing of the tokens. The wire is what tcpdump sees on the loopback device, with the kernel's times: from the packet
 * that begins connecting or, over a connection that is there, the request, to the packets of the tokens. The truth is held against the
 * wire as well, from the last packet of the request on, so that it is known who is wrong. Capturing needs root; without it the wire is
 * left out. `threads`: the first three with the load in the thread that measures the requests, and in one and two of their own, with
 * and without endpoints
 * that are scraped beside.
 */
import { argv } from 'node:process';
import type { PhaseOptions } from '@org/loadgen';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { type ServerProcess, startServer } from './loadgen/child.ts';
import { type Load, type Loaded, load, profiled, quantile, rounded } from './loadgen/load.ts';
import { comparedWithSimulator, LOADS } from './loadgen/simulator.ts';
import { loadInThreads, type ThreadCase, threadFigures } from './loadgen/threads.ts';
import { wrkRequestsPerSecond } from './loadgen/wrk.ts';

const options = yargs(hideBin(argv))
  .option('seconds', { type: 'number', default: 4, describe: 'Length of each measurement' })
  .option('only', {
    choices: ['flood', 'plain', 'paced', 'simulator', 'threads'] as const,
    describe: 'One of the cases',
  })
  .strict()
  .parseSync();

const STREAMS = 200;
const RATES = [2_000, 5_000, 10_000, 20_000, 40_000];
/** Share of each stream that is left out of `paced`: connections are made in it. */
const START = 0.25;
const TOLERATED_MS = 1;

await withServer('server.js', [], async url => {
  if (isWanted('flood')) await flood(url);
  if (isWanted('plain')) await plain(url);
  if (isWanted('paced')) await paced(url);
  if (isWanted('threads')) await threads(url);
});
if (isWanted('simulator')) {
  for (const [loop, phase] of Object.entries(LOADS))
    await withServer('simulated.js', ['0.25', '256'], url => simulated(url, loop, phase));
}

function isWanted(name: NonNullable<typeof options.only>): boolean {
  return options.only === undefined || options.only === name;
}

async function withServer(
  script: string,
  args: readonly string[],
  work: (url: string) => Promise<void>,
): Promise<void> {
  const server: ServerProcess = await startServer(script, ...args);
  try {
    await work(server.url);
  } finally {
    server.stop();
  }
}

async function flood(url: string): Promise<void> {
  const chunks = 5_000;
  const profiling = { concurrency: 32, durationS: options.seconds };
  const loaded = await load(url, `/flood/${chunks}`, {
    warmup: { concurrency: 32, requestCount: 32 },
    profiling,
  });
  const count = profiled(loaded).reduce((sum, { arrivals }) => sum + arrivals.pieces, 0);
  print({ case: 'flood', chunks_per_second: Math.round(count / loaded.seconds), ...client(loaded) });
}

async function plain(url: string): Promise<void> {
  const target = { urls: [url], model: 'm', streaming: false, path: '/plain' };
  const profiling = { concurrency: 64, durationS: options.seconds };
  const warmup = { concurrency: 64, requestCount: 5_000 };
  const loaded = await load(url, '/plain', { target, warmup, profiling });
  const ours = profiled(loaded).length / loaded.seconds;
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'word '.repeat(32) }] });
  const peer = wrkRequestsPerSecond(`${url}/plain`, body, 64, options.seconds);
  print({
    case: 'plain',
    ours_requests_per_second: Math.round(ours),
    wrk_requests_per_second: peer === undefined ? null : Math.round(peer),
    ratio: peer === undefined ? null : rounded(ours / peer),
    ...client(loaded),
  });
}

async function paced(url: string): Promise<void> {
  let within: number | undefined;
  for (const rate of RATES) {
    const intervalUs = Math.round((STREAMS * 1e6) / rate);
    const chunks = Math.max(8, Math.round((options.seconds * rate) / STREAMS));
    const loaded = await load(url, `/paced/${chunks}/${intervalUs}`, {
      profiling: { concurrency: STREAMS, requestCount: STREAMS },
      keepText: true,
    });
    const errors = stampErrorsMs(loaded);
    const [p50, p99] = [quantile(errors, 0.5), quantile(errors, 0.99)];
    if (p99 <= TOLERATED_MS) within = rate;
    print({
      case: 'paced',
      streams: STREAMS,
      chunks_per_second: rate,
      error_min_ms: rounded(quantile(errors, 0)),
      error_p1_ms: rounded(quantile(errors, 0.01)),
      error_p50_ms: rounded(p50),
      error_p99_ms: rounded(p99),
      error_max_ms: rounded(Math.max(...errors)),
      ...client(loaded),
    });
  }
  print({ case: 'paced', most_chunks_per_second_with_p99_error_within_1_ms: within ?? null });
}

async function threads(url: string): Promise<void> {
  const target = (path: string): Load['target'] => ({
    urls: [url],
    model: 'm',
    streaming: path !== '/plain',
    path,
  });
  const durationS = options.seconds;
  for (const workers of [0, 1, 2]) {
    const floods = { concurrency: 32, durationS };
    const flooded = await loadInThreads(
      { workers, scraped: 0 },
      { target: target('/flood/5000'), warmup: { concurrency: 32, requestCount: 32 }, profiling: floods },
    );
    const count = profiled(flooded).reduce((sum, { arrivals }) => sum + arrivals.pieces, 0);
    const chunks = { chunks_per_second: Math.round(count / flooded.seconds) };
    print({ case: 'threads flood', workers, ...chunks, ...threadFigures(flooded) });
    const asked = await loadInThreads(
      { workers, scraped: 0 },
      {
        target: target('/plain'),
        warmup: { concurrency: 64, requestCount: 3_000 },
        profiling: { concurrency: 64, durationS },
      },
    );
    const requests = { requests_per_second: Math.round(profiled(asked).length / asked.seconds) };
    print({ case: 'threads plain', workers, ...requests, ...threadFigures(asked) });
  }
  for (const scraped of [0, 40])
    for (const workers of [0, 1, 2]) await threadStamps({ workers, scraped }, target);
}

async function threadStamps(which: ThreadCase, target: (path: string) => Load['target']): Promise<void> {
  for (const rate of [5_000, 20_000]) {
    const chunks = Math.round((options.seconds * rate) / STREAMS);
    const path = `/calm/${chunks}/${Math.round((STREAMS * 1e6) / rate)}`;
    const profiling = { concurrency: STREAMS, requestCount: STREAMS };
    const loaded = await loadInThreads(which, { target: target(path), profiling, keepText: true });
    const errors = stampErrorsMs(loaded);
    print({
      case: 'threads stamps',
      ...which,
      chunks_per_second: rate,
      error_p50_ms: rounded(quantile(errors, 0.5)),
      error_p99_ms: rounded(quantile(errors, 0.99)),
      ...threadFigures(loaded),
    });
  }
}

/** How late each chunk was stamped, ms. */
function stampErrorsMs({ records, summary }: Loaded): number[] {
  return records.flatMap(({ text, arrivals }) => {
    const written = text!.output.trim().split(' ');
    const first = Math.floor(START * written.length);
    return written
      .slice(first)
      .map(
        (stamp, index) => (arrivals.timesNs[first + index]! - Number(BigInt(stamp) - summary.originNs)) / 1e6,
      );
  });
}

async function simulated(url: string, loop: string, phase: PhaseOptions): Promise<void> {
  const { loaded, figures } = await comparedWithSimulator(url, phase);
  const streams = rounded(underWay(loaded), 0);
  for (const figure of figures) print({ case: 'simulator', loop, streams, ...figure, ...client(loaded) });
}

/** Streams that were under way on average. */
function underWay(loaded: Loaded): number {
  const lengths = profiled(loaded).map(({ startNs, endNs }) => endNs - startNs);
  return lengths.reduce((sum, length) => sum + length, 0) / 1e9 / loaded.seconds;
}

function client({ summary, cpuS, seconds }: Loaded): object {
  return {
    lag_p99_ms: rounded(summary.eventLoopLag.p99Ns / 1e6),
    busy: rounded(summary.clientBusy, 2),
    cpu_s: rounded(cpuS, 2),
    seconds: rounded(seconds, 2),
    warnings: summary.warnings.map(({ kind }) => kind),
  };
}

function print(figures: object): void {
  console.log(JSON.stringify({ bench: 'loadgen', ...figures }));
}
