import type { Clock } from '@org/core';
import type { OverSaturation } from '@org/formats';
import type { LoadRun } from '@org/loadgen';
import type { Endpoint } from '@org/scrape';
import type { ServerCatalog } from '@org/servers';
import type { ProfilePlan } from '../plan/profilePlan.ts';
import { SaturationMonitor } from '../saturation/saturationMonitor.ts';
import type { EarlyEnd } from './profileResult.ts';
import type { RequestRecorder } from './requestRecorder.ts';

/** Interval of the checks of the servers, in milliseconds. */
const CHECK_INTERVAL_MS = 1000;

/** The servers of a run. */
interface Servers {
  readonly endpoints: readonly Endpoint[];
  readonly catalog: ServerCatalog;
  readonly clock: Pick<Clock, 'nowNs'>;
}

/** Observes the profiling phase of a run, and ends its load early. */
export class EarlyEndings {
  readonly #aborted = new AbortController();
  readonly #overSaturated = new AbortController();
  readonly #saturation: SaturationMonitor | undefined;
  readonly #servers: Servers;
  readonly #endEarly: EarlyEnd | undefined;
  #interval: NodeJS.Timeout | undefined;
  /** The load; set it before its profiling phase starts. */
  load: LoadRun | undefined;

  constructor(
    plan: ProfilePlan,
    recorder: Pick<RequestRecorder, 'onMeasured'>,
    servers: Servers,
    endEarly: EarlyEnd | undefined,
  ) {
    this.#servers = servers;
    this.#endEarly = endEarly;
    if (plan.overSaturationSeconds !== undefined)
      this.#saturation = new SaturationMonitor(plan, servers.endpoints, servers.catalog, () =>
        this.#overSaturated.abort(),
      );
    const saturation = this.#saturation;
    if (!endEarly && !saturation) return;
    recorder.onMeasured = metrics => {
      saturation?.add(metrics);
      if (endEarly?.add(metrics)) this.#aborted.abort();
    };
  }

  /** Aborts the run. */
  get signal(): AbortSignal {
    return this.#aborted.signal;
  }

  /** Ends the phase of the load, because the servers are over-saturated. */
  get overSaturated(): AbortSignal {
    return this.#overSaturated.signal;
  }

  /** Present if the load was ended because the servers were over-saturated. */
  get overSaturation(): OverSaturation | undefined {
    return this.#saturation?.evidence;
  }

  /** Starts to observe the load. */
  start(): void {
    if (this.load) this.#saturation?.start(this.load);
    if (!this.#endEarly) return;
    const startNs = this.#servers.clock.nowNs();
    this.#interval = setInterval(() => this.#checkServers(startNs), CHECK_INTERVAL_MS);
  }

  stop(): void {
    this.#saturation?.stop();
    clearInterval(this.#interval);
  }

  #checkServers(startNs: bigint): void {
    if (!this.#endEarly?.checkServers(this.#servers.endpoints, startNs)) return;
    clearInterval(this.#interval);
    this.#aborted.abort();
  }
}
