import { formatDuration } from '@org/core';
import type { Log } from '@org/run/lifecycle';
import type { ProfileOptions, RunUnderWay } from '@org/run/profile';
import { Headlines } from '../collect/headlines.ts';
import type { Io } from '../io.ts';
import { ProgressLine } from '../progressline.ts';

const BAR = 8;

/** Says how the load goes on; on a terminal with a bar. */
export class LoadProgressLine {
  readonly #options: ProfileOptions;
  readonly #headlines = new Headlines();
  readonly #line = new ProgressLine();

  constructor(options: ProfileOptions) {
    this.#options = options;
  }

  start(run: RunUnderWay, io: Io, log: Log): void {
    const { live } = this.#options;
    this.#line.start(() => this.#parts(run, live), io, log, live);
  }

  /** Makes room for another line on the terminal. */
  clear(): void {
    this.#line.clear();
  }

  stop(): void {
    this.#line.stop();
  }

  #parts({ load, endpoints }: RunUnderWay, hasBar: boolean): string[] {
    const { phase, sent, inFlight, succeeded, failed, elapsedNs } = load.progress();
    const seconds = elapsedNs / 1e9;
    const planned = phase === 'warmup' ? this.#options.warmup : this.#options.profiling;
    const over = succeeded + failed;
    const share = shareDone(over, seconds, planned?.requestCount, planned?.durationS);
    const parts = [
      `${phase === 'warmup' ? 'warm-up' : 'profiling'} ${formatDuration(Math.round(seconds))}`,
      ...(share !== undefined && hasBar ? [bar(share)] : []),
      planned?.requestCount === undefined
        ? `${over} ${over === 1 ? 'request' : 'requests'}`
        : `${over}/${planned.requestCount}`,
      `${seconds > 0 ? (over / seconds).toFixed(1) : '0.0'} req/s`,
      `${inFlight} open`,
      ...(failed > 0 ? [`${failed} failed`] : []),
      ...(share !== undefined && share > 0 && share < 1
        ? [`ETA ${formatDuration(remaining(share, seconds))}`]
        : []),
    ];
    const headlines = this.#headlines.text(endpoints);
    return sent === 0 || headlines === '' ? parts : [...parts, headlines];
  }
}

/** The part of a phase that is done, by requests or by time, whichever is further. */
function shareDone(
  over: number,
  seconds: number,
  requests: number | undefined,
  duration: number | undefined,
): number | undefined {
  if (requests === undefined && duration === undefined) return undefined;
  const byCount = requests === undefined ? 0 : over / requests;
  const byTime = duration === undefined ? 0 : seconds / duration;
  return Math.min(1, Math.max(byCount, byTime));
}

function remaining(share: number, seconds: number): number {
  return Math.ceil((seconds * (1 - share)) / share);
}

function bar(share: number): string {
  const full = Math.round(share * BAR);
  return '█'.repeat(full) + '░'.repeat(BAR - full);
}
