import type { OverSaturation } from '@org/formats';
import type { LoadRun } from '@org/loadgen';
import type { Endpoint } from '@org/scrape';
import type { ServerCatalog } from '@org/servers';
import type { ProfilePlan } from '../plan/profilePlan.ts';
import { SaturationMonitor } from '../saturation/saturationMonitor.ts';
import type { EarlyEnd } from './profileResult.ts';
import type { RequestRecorder } from './requestRecorder.ts';

/** Observes the profiling phase of a run, and ends its load early. */
export class EarlyEndings {
  readonly #aborted = new AbortController();
  readonly #overSaturated = new AbortController();
  readonly #saturation: SaturationMonitor | undefined;
  /** The load; set it before its profiling phase starts. */
  load: LoadRun | undefined;

  constructor(
    plan: ProfilePlan,
    recorder: Pick<RequestRecorder, 'onMeasured'>,
    servers: { readonly endpoints: readonly Endpoint[]; readonly catalog: ServerCatalog },
    endEarly: EarlyEnd | undefined,
  ) {
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
  }

  stop(): void {
    this.#saturation?.stop();
  }
}
