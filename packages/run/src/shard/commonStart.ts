import type { Shard as ShardReport } from '@org/formats';
import { pause } from '../lifecycle/pause.ts';
import type { ProfilePlan } from '../plan/profilePlan.ts';
import type { RunContext } from '../runContext.ts';

/**
 * Time between the reference samples of the endpoints and the planned start, in ns. The load then starts at
 * the planned time, unless a scrape takes longer.
 */
const LEAD_NS = 250_000_000n;

/** Minimum delay of a start that counts as late, in ns. */
const MIN_LATE_NS = 5_000_000n;

/** Returns the planned start of profiling, in ns since 1970. */
export function readStartNs({ startAtMs }: Pick<ProfilePlan, 'startAtMs'>): bigint | undefined {
  return startAtMs === undefined ? undefined : BigInt(startAtMs) * 1_000_000n;
}

/** The planned start of profiling that all shards of a load have in common. */
export class CommonStart {
  readonly #context: RunContext<ProfilePlan>;
  readonly #startAtNs: bigint | undefined;
  #delayNs: bigint | undefined;

  constructor(context: RunContext<ProfilePlan>) {
    this.#context = context;
    this.#startAtNs = readStartNs(context.plan);
  }

  /** Waits until the reference samples of profiling have to be taken. Returns early if the run is interrupted. */
  async wait(): Promise<void> {
    const { clock, emit, interruptSignal } = this.#context;
    if (this.#startAtNs === undefined) return;
    const waitNs = this.#startAtNs - LEAD_NS - clock.nowNs();
    if (waitNs <= 0n) return;
    emit({ type: 'start_awaited', startAtNs: this.#startAtNs });
    await pause(Number(waitNs) / 1e9, interruptSignal);
  }

  /** Returns the start time of the load, in ns since 1970; undefined if it starts now. */
  determine(): bigint | undefined {
    const { clock, emit, interruptSignal } = this.#context;
    if (this.#startAtNs === undefined || interruptSignal.aborted) return undefined;
    const lateNs = clock.nowNs() - this.#startAtNs;
    this.#delayNs = lateNs > 0n ? lateNs : 0n;
    if (lateNs > MIN_LATE_NS) emit({ type: 'started_late', delayMs: Number(lateNs) / 1e6 });
    return this.#startAtNs;
  }

  /** Describes the planned start for the export of a shard. */
  describe(): Pick<ShardReport, 'start_at_ns' | 'start_delay_ms'> {
    return {
      ...(this.#startAtNs === undefined ? {} : { start_at_ns: this.#startAtNs }),
      ...(this.#delayNs === undefined ? {} : { start_delay_ms: Number(this.#delayNs) / 1e6 }),
    };
  }
}
