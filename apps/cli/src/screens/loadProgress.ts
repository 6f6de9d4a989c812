import { formatCount, formatDuration } from '@org/core';
import type { ActiveLoad, ProfilePlan } from '@org/run';
import { extendBuiltInServers } from '@org/servers';
import { type Log, ProgressLine } from '@org/terminal/live';
import type { Io } from '@org/terminal/program';
import { HeadlineFormatter } from './headlines.ts';
import { describeUnresponsive, getWallTimeNs, isResponding } from './unresponsive.ts';

/** Width of the progress bar, in terminal columns. */
const BAR_WIDTH = 8;

/** The progress line of a profile run: phase, requests, rate and remaining time, with a bar on a terminal. */
export class LoadProgress {
  readonly #plan: Pick<ProfilePlan, 'warmup' | 'profiling'>;
  readonly #headlines: HeadlineFormatter;
  readonly #line = new ProgressLine();

  constructor(plan: Pick<ProfilePlan, 'warmup' | 'profiling' | 'servers'>) {
    this.#plan = plan;
    this.#headlines = new HeadlineFormatter(extendBuiltInServers(plan.servers ?? []));
  }

  start(active: ActiveLoad, io: Io, log: Log, live: boolean): void {
    this.#line.start(() => this.#format(active, live), io, log, live);
  }

  /** Clears the live line, so that other output can be printed. */
  clear(): void {
    this.#line.clear();
  }

  stop(): void {
    this.#line.stop();
  }

  #format({ load, endpoints }: ActiveLoad, hasBar: boolean): string[] {
    const { phase, sent, inFlight, succeeded, failed, cancelled, elapsedNs } = load.getProgress();
    const seconds = elapsedNs / 1e9;
    const planned = phase === 'warmup' ? this.#plan.warmup : this.#plan.profiling;
    const ended = succeeded + failed + cancelled;
    const fraction = computeCompletedFraction(ended, seconds, planned?.requestCount, planned?.durationS);
    const unresponsive = describeUnresponsive(endpoints, getWallTimeNs());
    const columns = [
      `${phase === 'warmup' ? 'warm-up' : 'profiling'} ${formatDuration(Math.round(seconds))}`,
      ...(unresponsive === undefined ? [] : [unresponsive]),
      ...(fraction !== undefined && hasBar ? [renderBar(fraction)] : []),
      planned?.requestCount === undefined
        ? formatCount(ended, 'request')
        : `${ended}/${planned.requestCount}`,
      `${seconds > 0 ? (ended / seconds).toFixed(1) : '0.0'} req/s`,
      `${inFlight} in flight`,
      ...(failed > 0 ? [`${failed} failed`] : []),
      ...(cancelled > 0 ? [`${cancelled} cancelled`] : []),
      ...(fraction !== undefined && fraction > 0 && fraction < 1
        ? [`ETA ${formatDuration(estimateRemainingSeconds(fraction, seconds))}`]
        : []),
    ];
    const headlines = this.#headlines.format(endpoints.filter(isResponding));
    return sent === 0 || headlines === '' ? columns : [...columns, headlines];
  }
}

/**
 * Computes the completed fraction of a phase, by requests or by time, whichever is larger. Returns undefined if
 * the phase has no limit.
 */
function computeCompletedFraction(
  ended: number,
  seconds: number,
  requestCount: number | undefined,
  durationSeconds: number | undefined,
): number | undefined {
  if (requestCount === undefined && durationSeconds === undefined) return undefined;
  const byCount = requestCount === undefined ? 0 : ended / requestCount;
  const byTime = durationSeconds === undefined ? 0 : seconds / durationSeconds;
  return Math.min(1, Math.max(byCount, byTime));
}

/** Estimates the remaining seconds from the elapsed seconds and the completed fraction. */
function estimateRemainingSeconds(fraction: number, seconds: number): number {
  return Math.ceil((seconds * (1 - fraction)) / fraction);
}

function renderBar(fraction: number): string {
  const full = Math.round(fraction * BAR_WIDTH);
  return '█'.repeat(full) + '░'.repeat(BAR_WIDTH - full);
}
