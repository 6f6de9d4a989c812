import type { ProfilePlan, RunEvent } from '@org/run';
import type { Log } from '@org/terminal/live';
import type { Io } from '@org/terminal/program';
import type { DisplayOptions } from '../options/display.ts';
import { LoadProgress } from '../screens/loadProgress.ts';
import type { Dashboard } from './dashboard.ts';

/** The display of one profile run while its load is active: the dashboard, a line, or log messages. */
export class LoadDisplay {
  readonly #progress: LoadProgress;
  readonly #isLive: boolean;
  readonly #logSeconds: number | undefined;
  readonly #io: Io;
  readonly #log: Log;
  /** The dashboard of the run; undefined for other displays. */
  readonly dashboard: Dashboard | undefined;

  /** @param log the log on the terminal, which does not pass through the dashboard */
  constructor(
    plan: ProfilePlan,
    { display, statsSeconds }: Pick<DisplayOptions, 'display' | 'statsSeconds'>,
    dashboard: Dashboard | undefined,
    io: Io,
    log: Log,
  ) {
    this.#progress = new LoadProgress(plan);
    this.#isLive = display !== 'none';
    this.#logSeconds = statsSeconds;
    this.dashboard = dashboard;
    this.#io = io;
    this.#log = log;
  }

  /** Follows an event of the run: the display appears when the load starts, and ends with the load. */
  follow(event: RunEvent): void {
    this.dashboard?.handle(event);
    if (event.type === 'load_ended') this.stop();
    if (event.type !== 'load_started') return;
    if (this.dashboard) this.dashboard.open();
    else this.#progress.start(event.active, this.#io, this.#log, this.#isLive, this.#logSeconds);
  }

  /** Clears a live line, so that other output can be printed. */
  clear(): void {
    this.#progress.clear();
  }

  stop(): void {
    this.dashboard?.close(this.#log);
    this.#progress.stop();
  }
}
