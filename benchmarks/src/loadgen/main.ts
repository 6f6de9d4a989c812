/**
 * Measures the throughput of one client process and the accuracy of its measurements.
 *
 * All cases except `simulator` use a server with minimal CPU use in a separate process (stubServer.ts).
 * - `flood`: chunks/s of streams that arrive as fast as they are read
 * - `plain`: requests/s with small responses, compared with wrk, which sends the same request to the same
 *   server
 * - `paced`: 200 streams at several rates. Every chunk contains the time at which the server wrote it, on the same
 *   monotonic clock, so the error of the client's timestamp is known for each chunk. The error includes the
 *   transfer through the kernel.
 * - `simulator`: about 200 streams in an open and a closed loop, compared with two references. `truth` is
 *   recorded by the simulator: the time from the arrival of a request in its socket to the writes of the
 *   tokens. `wire` is captured by tcpdump on the loopback device with the kernel's timestamps: the time from
 *   the SYN packet (on a reused connection, from the request) to the packets of the tokens. `truth` is also compared
 *   with `wire`, both measured from the last packet of the request, to show which reference is inaccurate. Capturing
 *   requires root; otherwise `wire` is skipped.
 * - `threads`: `flood`, `plain` and paced streams with the load in the main thread, and in one and two worker
 *   threads; paced streams also while 40 endpoints are scraped
 *
 * Usage: npm run bench -- loadgen [--seconds 4] [--only CASE]
 */
import { argv } from 'node:process';
import type { PhaseOptions } from '@org/loadgen';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { computeQuantile, round } from '../measure/numbers.ts';
import { measureWrkRate } from '../peers/wrk.ts';
import { computeChunkErrorsMs, toErrorQuantiles } from './errorFigures.ts';
import { computeMeanStreams, getProfilingRecords, type Load, type LoadResult, runLoad } from './load.ts';
import { compareWithSimulator, REFERENCE_LOADS } from './referenceComparison.ts';
import { type ServerProcess, startServer } from './serverProcess.ts';
import { runThreadedLoad, type ThreadCase, toThreadFigures } from './threadedLoad.ts';

const options = yargs(hideBin(argv))
  .option('seconds', { type: 'number', default: 4, describe: 'Duration of each measurement in seconds' })
  .option('only', {
    choices: ['flood', 'plain', 'paced', 'simulator', 'threads'] as const,
    describe: 'Run only this case',
  })
  .strict()
  .parseSync();

const STREAMS = 200;
const RATES = [2_000, 5_000, 10_000, 20_000, 40_000];
const TOLERANCE_MS = 1;

await withServer('stubServer.js', [], async url => {
  if (isWanted('flood')) await measureFlood(url);
  if (isWanted('plain')) await measurePlain(url);
  if (isWanted('paced')) await measurePaced(url);
  if (isWanted('threads')) await measureThreads(url);
});
if (isWanted('simulator')) {
  for (const [loop, phase] of Object.entries(REFERENCE_LOADS))
    await withServer('simulatorServer.js', ['0.25', '256'], url => measureSimulator(url, loop, phase));
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

async function measureFlood(url: string): Promise<void> {
  const chunks = 5_000;
  const profiling = { concurrency: 32, durationS: options.seconds };
  const result = await runLoad(url, `/flood/${chunks}`, {
    warmup: { concurrency: 32, requestCount: 32 },
    profiling,
  });
  const chunkCount = getProfilingRecords(result).reduce((sum, { arrivals }) => sum + arrivals.pieces, 0);
  print({
    case: 'flood',
    chunks_per_second: Math.round(chunkCount / result.seconds),
    ...toClientFigures(result),
  });
}

async function measurePlain(url: string): Promise<void> {
  const target = { urls: [url], model: 'm', streaming: false, path: '/plain' };
  const profiling = { concurrency: 64, durationS: options.seconds };
  const warmup = { concurrency: 64, requestCount: 5_000 };
  const result = await runLoad(url, '/plain', { target, warmup, profiling });
  const requestsPerSecond = getProfilingRecords(result).length / result.seconds;
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'word '.repeat(32) }] });
  const wrkRequestsPerSecond = measureWrkRate(`${url}/plain`, body, 64, options.seconds);
  print({
    case: 'plain',
    requests_per_second: Math.round(requestsPerSecond),
    wrk_requests_per_second: wrkRequestsPerSecond === undefined ? null : Math.round(wrkRequestsPerSecond),
    ratio: wrkRequestsPerSecond === undefined ? null : round(requestsPerSecond / wrkRequestsPerSecond, 3),
    ...toClientFigures(result),
  });
}

async function measurePaced(url: string): Promise<void> {
  let maxAccurateRate: number | undefined;
  for (const rate of RATES) {
    const intervalUs = Math.round((STREAMS * 1e6) / rate);
    const chunks = Math.max(8, Math.round((options.seconds * rate) / STREAMS));
    const result = await runLoad(url, `/paced/${chunks}/${intervalUs}`, {
      profiling: { concurrency: STREAMS, requestCount: STREAMS },
      keepText: true,
    });
    const errors = computeChunkErrorsMs(result.records, result.summary.originNs);
    const quantiles = toErrorQuantiles(errors);
    if (computeQuantile(errors, 0.99) <= TOLERANCE_MS) maxAccurateRate = rate;
    print({
      case: 'paced',
      streams: STREAMS,
      chunks_per_second: rate,
      error_min_ms: round(computeQuantile(errors, 0), 3),
      ...quantiles,
      error_max_ms: round(Math.max(...errors), 3),
      ...toClientFigures(result),
    });
  }
  print({ case: 'paced', max_chunks_per_second_with_p99_error_within_1_ms: maxAccurateRate ?? null });
}

async function measureThreads(url: string): Promise<void> {
  const target = (path: string): Load['target'] => ({
    urls: [url],
    model: 'm',
    streaming: path !== '/plain',
    path,
  });
  const durationS = options.seconds;
  for (const workers of [0, 1, 2]) {
    const profiling = { concurrency: 32, durationS };
    const floodResult = await runThreadedLoad(
      { workers, scrapedEndpoints: 0 },
      { target: target('/flood/5000'), warmup: { concurrency: 32, requestCount: 32 }, profiling },
    );
    const chunkCount = getProfilingRecords(floodResult).reduce(
      (sum, { arrivals }) => sum + arrivals.pieces,
      0,
    );
    const chunks = { chunks_per_second: Math.round(chunkCount / floodResult.seconds) };
    print({ case: 'threads flood', workers, ...chunks, ...toThreadFigures(floodResult) });
    const result = await runThreadedLoad(
      { workers, scrapedEndpoints: 0 },
      {
        target: target('/plain'),
        warmup: { concurrency: 64, requestCount: 3_000 },
        profiling: { concurrency: 64, durationS },
      },
    );
    const requests = { requests_per_second: Math.round(getProfilingRecords(result).length / result.seconds) };
    print({ case: 'threads plain', workers, ...requests, ...toThreadFigures(result) });
  }
  for (const scrapedEndpoints of [0, 40])
    for (const workers of [0, 1, 2]) await measureThreadTimestamps({ workers, scrapedEndpoints }, target);
}

async function measureThreadTimestamps(
  threadCase: ThreadCase,
  target: (path: string) => Load['target'],
): Promise<void> {
  for (const rate of [5_000, 20_000]) {
    const chunks = Math.round((options.seconds * rate) / STREAMS);
    const path = `/calm/${chunks}/${Math.round((STREAMS * 1e6) / rate)}`;
    const profiling = { concurrency: STREAMS, requestCount: STREAMS };
    const result = await runThreadedLoad(threadCase, { target: target(path), profiling, keepText: true });
    const errors = computeChunkErrorsMs(result.records, result.summary.originNs);
    print({
      case: 'threads timestamps',
      ...threadCase,
      chunks_per_second: rate,
      error_p50_ms: round(computeQuantile(errors, 0.5), 3),
      error_p99_ms: round(computeQuantile(errors, 0.99), 3),
      ...toThreadFigures(result),
    });
  }
}

async function measureSimulator(url: string, loop: string, phase: PhaseOptions): Promise<void> {
  const { result, figures } = await compareWithSimulator(url, phase);
  const streams = round(computeMeanStreams(result));
  for (const figure of figures)
    print({ case: 'simulator', loop, streams, ...figure, ...toClientFigures(result) });
}

function toClientFigures({ summary, cpuS, seconds }: LoadResult): object {
  return {
    lag_p99_ms: round(summary.eventLoopDelay.p99Ns / 1e6, 3),
    busy: round(summary.clientBusy, 2),
    cpu_s: round(cpuS, 2),
    seconds: round(seconds, 2),
    warnings: summary.warnings.map(({ kind }) => kind),
  };
}

function print(figures: object): void {
  console.log(JSON.stringify({ bench: 'loadgen', ...figures }));
}
