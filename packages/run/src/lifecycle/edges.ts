import type { BoundarySamples, RunRecord } from '@org/record';
import { MARK, type TimesByEndpoint, toBoundarySamples } from '@org/record/journal';
import type { Clock, Endpoint, JournalWriter } from '@org/scrape';

/** When profiling began and ended, and which samples of the endpoints are for that; what is known goes to the journal at once. */
export class Edges {
  readonly #clock: Clock;
  readonly #journal: JournalWriter;
  readonly #indexOf: (endpoint: Endpoint) => number;
  #startNs: bigint | undefined;
  #endNs: bigint | undefined;
  #baselines = new Map<Endpoint, bigint>();
  readonly #closings = new Map<Endpoint, bigint>();

  constructor(clock: Clock, journal: JournalWriter, indexOf: (endpoint: Endpoint) => number) {
    this.#clock = clock;
    this.#journal = journal;
    this.#indexOf = indexOf;
  }

  get hasBegun(): boolean {
    return this.#startNs !== undefined;
  }

  /** Profiling begins now, behind these samples. A later begin takes the place of an earlier one. */
  begin(baselines: Map<Endpoint, bigint>): bigint {
    const atNs = this.#clock.nowNs();
    this.#baselines = baselines;
    this.#startNs = atNs;
    this.#journal.mark({ kind: MARK.profilingStart, atNs, data: this.#byIndex(baselines) });
    return atNs;
  }

  /** A sample that came too late for the barrier. `baselines` are those that it was meant for. */
  baseline(baselines: Map<Endpoint, bigint>, endpoint: Endpoint, atNs: bigint): void {
    // Of a begin whose place another one has taken, a sample is but a sample.
    if (this.#baselines === baselines) this.#keep(MARK.baseline, baselines, endpoint, atNs);
  }

  /** Profiling ends now. */
  end(): bigint {
    const atNs = this.#clock.nowNs();
    this.#endNs = atNs;
    this.#journal.mark({ kind: MARK.profilingEnd, atNs });
    return atNs;
  }

  closing(endpoint: Endpoint, atNs: bigint): void {
    this.#keep(MARK.closing, this.#closings, endpoint, atNs);
  }

  /** A run that never came to profiling has an empty period at its end. */
  period(runEndNs: bigint): RunRecord['period'] {
    return { startNs: this.#startNs ?? runEndNs, endNs: this.#endNs ?? runEndNs };
  }

  of(endpoint: Endpoint): BoundarySamples {
    return toBoundarySamples(this.#baselines.get(endpoint), this.#closings.get(endpoint));
  }

  #keep(kind: string, edges: Map<Endpoint, bigint>, endpoint: Endpoint, atNs: bigint): void {
    edges.set(endpoint, atNs);
    this.#journal.mark({ kind, atNs, data: { [this.#indexOf(endpoint)]: atNs } });
  }

  #byIndex(times: ReadonlyMap<Endpoint, bigint>): TimesByEndpoint {
    return Object.fromEntries([...times].map(([endpoint, atNs]) => [this.#indexOf(endpoint), atNs]));
  }
}
