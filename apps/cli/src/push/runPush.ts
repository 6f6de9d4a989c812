import type { LivePlan } from '@org/live';
import type { EndedRun, Push, RunDescription } from '@org/push';
import type { RunEvent } from '@org/run';
import type { Log } from '@org/terminal/live';
import type { PushSettings } from '../options/push.ts';
import { writePushReport } from './pushFile.ts';
import { logPushReport } from './pushReport.ts';

/** Where the pushes of a run are reported. */
export interface PushContext {
  /** Version of Servelens. */
  readonly version: string;
  readonly log: Log;
  /** The log of the address of the metrics page, which is not quiet. */
  readonly pageLog: Log;
}

/**
 * Starts the pushes and the metrics page of a command. A page that cannot be served is logged as a warning. Returns undefined
 * if the command has neither.
 */
export async function openPush(
  settings: PushSettings | undefined,
  context: PushContext,
): Promise<RunPush | undefined> {
  if (!settings) return undefined;
  const { MetricsPortError, Push, startThreadDispatcher } = await import('@org/push');
  const { targets, labels, metricsPort } = settings;
  const push = new Push({
    targets,
    labels,
    version: context.version,
    createDispatcher: startThreadDispatcher,
  });
  try {
    if (metricsPort !== undefined)
      context.pageLog.info(`metrics of this run: ${await push.openPage(metricsPort)}`);
  } catch (error) {
    if (!(error instanceof MetricsPortError)) throw error;
    context.log.warning(`--metrics-port: ${error.message}; the run continues without its metrics page`);
  }
  return new RunPush(push, settings, context.log);
}

/** The pushes of a command. Its runs do not wait for them, and do not fail because of them. */
export class RunPush {
  readonly #push: Push;
  readonly #settings: PushSettings;
  readonly #log: Log;
  #isClosed = false;

  constructor(push: Push, settings: PushSettings, log: Log) {
    this.#push = push;
    this.#settings = settings;
    this.#log = log;
  }

  /** Starts a run. */
  start(plan: LivePlan, description: RunDescription): void {
    this.#push.startRun(plan, description);
  }

  /** Follows an event of the run. */
  handle(event: RunEvent): void {
    this.#push.handle(event);
  }

  /** Pushes the statistics of the run that has ended. */
  async end(run: EndedRun): Promise<void> {
    await this.#push.endRun(run);
  }

  /** Sends what waits, and writes what was lost to push.json in the folder. */
  async close(folder: string, prefix: string | undefined): Promise<void> {
    const { targets, timeoutMs } = this.#settings;
    this.#isClosed = true;
    const report = await this.#push.close(timeoutMs);
    if (targets.length === 0) return;
    logPushReport(report, this.#log);
    const failure = await writePushReport(report, folder, prefix);
    if (failure !== undefined) this.#log.warning(failure);
  }

  /** Stops all pushes of a command that could not run. Does nothing after `close`. */
  release(): void {
    if (!this.#isClosed) void this.#push.close(0);
  }
}
