import { formatCount, formatDuration } from '@org/core';
import { describePhase, describeUnresponsive, getWallTimeNs, isResponding } from '@org/live';
import type { ActiveLoad, ProfilePlan } from '@org/run';
import { extendBuiltInServers } from '@org/servers';
import { renderBar } from '@org/terminal/layout';
import { type Log, ProgressLine } from '@org/terminal/live';
import type { Io } from '@org/terminal/program';
import { HeadlineFormatter } from './headlines.ts';

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

  /** `logSeconds` is the interval of messages without a live line; 10 seconds if undefined. */
  start(active: ActiveLoad, io: Io, log: Log, live: boolean, logSeconds?: number): void {
    this.#line.start(() => this.#format(active, live), io, log, live, logSeconds);
  }

  /** Clears the live line, so that other output can be printed. */
  clear(): void {
    this.#line.clear();
  }

  stop(): void {
    this.#line.stop();
  }

  #format({ load, endpoints }: ActiveLoad, hasBar: boolean): string[] {
    const progress = load.getProgress();
    const { sent, inFlight, failed, cancelled } = progress;
    const { name, seconds, ended, planned, fraction, remainingSeconds } = describePhase(progress, this.#plan);
    const unresponsive = describeUnresponsive(endpoints, getWallTimeNs());
    const columns = [
      `${name} ${formatDuration(Math.round(seconds))}`,
      ...(unresponsive === undefined ? [] : [unresponsive]),
      ...(fraction !== undefined && hasBar ? [renderBar(fraction, BAR_WIDTH)] : []),
      planned === undefined ? formatCount(ended, 'request') : `${ended}/${planned}`,
      `${seconds > 0 ? (ended / seconds).toFixed(1) : '0.0'} req/s`,
      `${inFlight} in flight`,
      ...(failed > 0 ? [`${failed} failed`] : []),
      ...(cancelled > 0 ? [`${cancelled} cancelled`] : []),
      ...(remainingSeconds === undefined ? [] : [`ETA ${formatDuration(remainingSeconds)}`]),
    ];
    const headlines = this.#headlines.format(endpoints.filter(isResponding));
    return sent === 0 || headlines === '' ? columns : [...columns, headlines];
  }
}
