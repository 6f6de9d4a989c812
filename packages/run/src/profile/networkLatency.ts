import { type WriteResult, writeFileAtomic } from '@org/formats/write';
import {
  type LoadSummary,
  type MetricBlock,
  type ProfileMetrics,
  type RoundTrip,
  RoundTripProbe,
  subtractRoundTrip,
} from '@org/loadgen';
import type { NetworkLatencyPlan, ProfilePlan } from '../plan/profilePlan.ts';

/** The round trip to the servers of a run, which is set or measured during profiling. */
export class NetworkLatency {
  readonly #plan: NetworkLatencyPlan | undefined;
  readonly #probe: RoundTripProbe | undefined;

  constructor({ networkLatency, request }: Pick<ProfilePlan, 'networkLatency' | 'request'>) {
    this.#plan = networkLatency;
    if (networkLatency && 'intervalS' in networkLatency)
      this.#probe = new RoundTripProbe(request.urls, networkLatency.intervalS);
  }

  async open(): Promise<void> {
    await this.#probe?.open();
  }

  /** Starts to measure. */
  start(): void {
    this.#probe?.start();
  }

  async stop(): Promise<void> {
    await this.#probe?.stop();
  }

  /** Returns the metrics without the round trip; none if it is unknown. */
  describe(metrics: Pick<ProfileMetrics, 'getDistribution'>): Record<string, MetricBlock> {
    const roundTripMs = this.#plan && 'meanMs' in this.#plan ? this.#plan.meanMs : this.#probe?.meanMs;
    return roundTripMs === undefined ? {} : subtractRoundTrip(metrics, roundTripMs);
  }

  /** A warning if the round trip should have been measured, and is unknown. */
  get warnings(): LoadSummary['warnings'] {
    if (!this.#probe || this.#probe.meanMs !== undefined) return [];
    const reason = this.#probe.roundTrips.find(({ error }) => error)?.error?.message;
    const message = `the round trip to the servers is unknown, because no connection succeeded${reason === undefined ? '' : ` (${reason})`}`;
    return [{ kind: 'network_latency', message }];
  }

  /** Writes the measurements to a file; undefined if there are none. */
  async write(path: string): Promise<WriteResult | undefined> {
    const roundTrips = this.#probe?.roundTrips ?? [];
    if (roundTrips.length === 0) return undefined;
    return writeFileAtomic(path, roundTrips.map(trip => `${formatLine(trip)}\n`).join(''));
  }
}

/** Formats a measurement as AIPerf does. */
function formatLine({ target, atMs, durationMs, error }: RoundTrip): string {
  return JSON.stringify({
    timestamp_ns: Number(BigInt(atMs) * 1_000_000n),
    target_url: target.url,
    target_host: target.host,
    target_port: target.port,
    probe_type: 'tcp_connect',
    ...(durationMs === undefined ? {} : { rtt_ns: Math.round(durationMs * 1e6) }),
    success: durationMs !== undefined,
    ...(error ? { error } : {}),
  });
}
