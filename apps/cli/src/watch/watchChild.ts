import { type ChildProcess, fork } from 'node:child_process';
import { toPrintable } from '@org/terminal';
import type { Log } from '@org/terminal/live';

/** A report of the process that serves the page: the address of the page, or why the page is not served. */
export type WatchMessage = { readonly url: string } | { readonly problem: string };

/**
 * Starts the process that serves the page of a run in `folder`, and logs the address of the page. A problem is logged as
 * a warning, and does not affect the run. The address is logged also with `--quiet`, so `log` must not be quiet. Does
 * nothing without a port.
 */
export function startWatching(folder: string, port: number | undefined, log: Log): WatchChild | undefined {
  return port === undefined ? undefined : new WatchChild(folder, port, log);
}

/** The process that serves the page of a run. It is not waited for. */
export class WatchChild {
  readonly #process: ChildProcess;
  #isReleased = false;

  constructor(folder: string, port: number, log: Log) {
    this.#process = fork(
      new URL('./watchProcess.js', import.meta.url),
      [folder, String(port), String(Date.now())],
      {
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        execArgv: [],
      },
    );
    let hasProblem = false;
    this.#process.on('message', (message: WatchMessage) => {
      hasProblem = 'problem' in message;
      if ('url' in message) log.info(`page of this run: ${message.url}`);
      else log.warning(`--web: ${toPrintable(message.problem)}; the run continues without its page`);
    });
    this.#process.on('error', error => log.warning(`--web: cannot start the page: ${error.message}`));
    this.#process.on('exit', () => {
      if (!this.#isReleased && !hasProblem)
        log.warning('--web: the page of this run has stopped; the run continues');
    });
    // This process may end before the other one.
    this.#process.unref();
    this.#process.channel?.unref();
  }

  /** Says that the run has ended. The process ends by itself once the browsers have the final page. */
  release(): void {
    this.#isReleased = true;
    if (this.#process.connected) this.#process.disconnect();
  }
}
