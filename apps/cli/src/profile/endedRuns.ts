import { formatRunName, type ProfileResult, type RepeatEvent, type RepeatPlan } from '@org/run';
import type { Log } from '@org/terminal/live';
import { findEndpointsWithoutData } from '../collect/collectSession.ts';
import { reportDeadServers } from '../screens/deadServers.ts';
import { logOutcome } from '../screens/runOutcome.ts';
import { logLosses } from '../screens/runSummary.ts';
import { logLimits } from '../screens/searchResult.ts';

/** Reports each of several runs when it has ended. */
export class EndedRuns {
  readonly #runs: RepeatPlan;
  /** True if all endpoints must have data (--require-server-metrics). */
  readonly #required: boolean;
  readonly #log: Log;
  /** True if data losses have been logged. They rarely differ between runs, so only the losses of the first run are logged. */
  #hasLoggedLosses = false;
  #lacksServerMetrics = false;

  constructor(runs: RepeatPlan, required: boolean, log: Log) {
    this.#runs = runs;
    this.#required = required;
    this.#log = log;
  }

  /** True if all servers of a run died, or if a run does not meet --require-server-metrics. */
  get lacksServerMetrics(): boolean {
    return this.#lacksServerMetrics;
  }

  /** Logs the result of a run. */
  report({ result, outcome, measurement }: Extract<RepeatEvent, { type: 'run_ended' }>): void {
    const name = formatRunName(this.#runs, outcome.run);
    if (result) this.#reportFiles(result);
    logOutcome(outcome, name, this.#log);
    if (measurement) logLimits(measurement, this.#log);
    if (result) this.#checkServerMetrics(result, name);
  }

  #reportFiles({ files, server }: ProfileResult): void {
    for (const file of files) if (!file.ok) this.#log.error(file.message);
    for (const { format, failure } of server?.exports.results ?? [])
      if (failure !== undefined) this.#log.error(`${format} export failed: ${failure}`);
    if (server && !this.#hasLoggedLosses) logLosses(server.record, server.exports, this.#log);
    this.#hasLoggedLosses = true;
  }

  /** Reports dead servers and, with --require-server-metrics, endpoints without data. */
  #checkServerMetrics({ server }: ProfileResult, name: string): void {
    if (!server) return;
    if (reportDeadServers(server.exports, this.#required, this.#log)) this.#lacksServerMetrics = true;
    const endpoints = this.#required ? findEndpointsWithoutData(server.record) : [];
    if (endpoints.length === 0) return;
    this.#lacksServerMetrics = true;
    this.#log.error(`--require-server-metrics: ${name}: no data from ${endpoints.join(', ')}`);
  }
}
