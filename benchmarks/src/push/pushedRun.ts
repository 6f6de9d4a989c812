import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runNode } from '../measure/measuredProcess.ts';

/** The measured values of a run, by their names with units. */
export type RunFigures = Readonly<Record<string, number>>;

/** A command with pushes, and the figures of its exports. */
export interface PushedCommand {
  readonly name: 'profile' | 'collect';
  readonly args: readonly string[];
  readonly readFigures: (folder: string) => RunFigures;
}

const CLI = fileURLToPath(new URL('../../../apps/cli/bin/servelens.js', import.meta.url));

/** The module that measures the event loop of the main thread. */
const LOOP_REPORT = new URL('./loopReport.js', import.meta.url).href;

/** Runs a command that pushes to receivers. */
export async function measureRun(
  { args, readFigures }: PushedCommand,
  seconds: number,
  targets: readonly string[],
): Promise<RunFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'servelens-push-'));
  const pushes = targets.flatMap(target => ['--push', target]);
  const timeout = targets.length === 0 ? [] : ['--push-timeout', '1'];
  try {
    const run = ['--import', LOOP_REPORT, CLI, ...args, ...pushes, ...timeout, '--artifact-dir', folder];
    const report = join(folder, 'loop.json');
    const { code, cpuSeconds, mainCpuSeconds, peakMb } = await runNode(run, {
      SERVELENS_LOOP_REPORT: report,
    });
    if (code !== 0) throw new Error(`servelens ${args.join(' ')} exited with code ${code}`);
    return {
      cpu_share: cpuSeconds / seconds,
      ...(mainCpuSeconds === undefined ? {} : { main_thread_cpu_share: mainCpuSeconds / seconds }),
      peak_mb: peakMb,
      ...readLoop(report, seconds),
      ...readFigures(folder),
      ...readDelivery(folder),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Reads how long the main thread was busy per second of the run, and how late its timers were. */
function readLoop(file: string, seconds: number): RunFigures {
  const { activeMs, p90Ms, p99Ms, p999Ms } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>;
  return {
    loop_active_ms_per_s: activeMs! / seconds,
    loop_delay_p90_ms: p90Ms!,
    loop_delay_p99_ms: p99Ms!,
    loop_delay_p999_ms: p999Ms!,
  };
}

/** Reads the latencies of a load. */
export function readLoadFigures(folder: string): RunFigures {
  const { request_count, time_to_first_token, inter_token_latency } = readJson(
    folder,
    'profile_export_aiperf.json',
  );
  return {
    requests: request_count.avg,
    ttft_p50_ms: time_to_first_token.p50,
    ttft_p99_ms: time_to_first_token.p99,
    itl_p50_ms: inter_token_latency.p50,
    itl_p99_ms: inter_token_latency.p99,
  };
}

/** Reads the punctuality of scrapes. */
export function readScrapeFigures(folder: string): RunFigures {
  const { endpoint_info } = readJson(folder, 'server_metrics_export.json').summary;
  const infos = Object.values(endpoint_info as Record<string, EndpointInfo>);
  const sum = (read: (info: EndpointInfo) => number | undefined): number =>
    infos.reduce((total, info) => total + (read(info) ?? 0), 0);
  return {
    scrapes: sum(info => info.total_fetches),
    late_scrapes: sum(info => info.scrapes_late),
    scrape_latency_ms: sum(info => info.avg_fetch_latency_ms) / infos.length,
  };
}

interface EndpointInfo {
  readonly total_fetches: number;
  readonly scrapes_late?: number;
  readonly avg_fetch_latency_ms?: number;
}

interface Receiver {
  readonly sent_values: number;
  readonly lost_values: Readonly<Record<string, number>>;
}

/** Reads what was sent to the receivers, and what was lost. */
function readDelivery(folder: string): RunFigures {
  if (!existsSync(join(folder, 'push.json'))) return { sent_values: 0, lost_values: 0 };
  const receivers: readonly Receiver[] = readJson(folder, 'push.json').receivers;
  const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
  return {
    sent_values: sum(receivers.map(({ sent_values }) => sent_values)),
    lost_values: sum(receivers.flatMap(({ lost_values }) => Object.values(lost_values))),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: exports have many forms.
function readJson(folder: string, name: string): any {
  return JSON.parse(readFileSync(join(folder, name), 'utf8'));
}
