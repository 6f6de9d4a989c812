import { stringifyJson, type WriteResult, writeFileAtomic } from '@org/formats/write';
import {
  computeMeanRoundTrip,
  type LoadSummary,
  type MetricBlock,
  type ProfileMetrics,
  type RoundTrip,
  RoundTrips,
  subtractRoundTrip,
} from '@org/loadgen';
import type { ProfilePlan } from '../plan/profilePlan.ts';

/** The round trip to the servers of a run, which is set or measured during profiling. */
export class NetworkLatency {
  readonly #plan: Pick<ProfilePlan, 'networkLatency' | 'request'>;
  #measuring: RoundTrips | undefined;
  #roundTrips: readonly RoundTrip[] = [];
  /** Set if the measurements were started and failed, so that there are no results. */
  #failure: string | undefined;

  constructor(plan: Pick<ProfilePlan, 'networkLatency' | 'request'>) {
    this.#plan = plan;
  }

  /** Prepares the measurements, if the round trip is measured. */
  async open(): Promise<void> {
    const { networkLatency, request } = this.#plan;
    if (networkLatency && 'intervalS' in networkLatency)
      this.#measuring = await RoundTrips.open({
        urls: request.urls,
        intervalS: networkLatency.intervalS,
      });
  }

  /** Starts to measure. */
  start(): void {
    this.#measuring?.start();
  }

  /** Ends the measurements; may be called again. */
  async stop(): Promise<void> {
    const measuring = this.#measuring;
    this.#measuring = undefined;
    if (!measuring) return;
    this.#roundTrips = await measuring.stop();
    this.#failure = measuring.failure;
  }

  /** Returns the metrics without the round trip; none if it is unknown. */
  describe(metrics: Pick<ProfileMetrics, 'getDistribution'>): Record<string, MetricBlock> {
    const { networkLatency } = this.#plan;
    const isSet = networkLatency !== undefined && 'meanMs' in networkLatency;
    const roundTripMs = isSet ? networkLatency.meanMs : computeMeanRoundTrip(this.#roundTrips);
    return roundTripMs === undefined ? {} : subtractRoundTrip(metrics, roundTripMs);
  }

  /** A warning if the round trip was measured, and is unknown. */
  get warnings(): LoadSummary['warnings'] {
    const reason = this.#failure ?? this.#describeFailedConnections();
    if (reason === undefined) return [];
    return [{ kind: 'network_latency', message: `the round trip to the servers is unknown: ${reason}` }];
  }

  /** Returns why no measurement succeeded; undefined if one did, or without measurements. */
  #describeFailedConnections(): string | undefined {
    const first = this.#roundTrips[0]?.error;
    if (first === undefined || computeMeanRoundTrip(this.#roundTrips) !== undefined) return undefined;
    return `no connection succeeded (${first.message})`;
  }

  /** Writes the measurements to a file. Returns undefined without measurements. */
  async write(path: string): Promise<WriteResult | undefined> {
    if (this.#roundTrips.length === 0) return undefined;
    return writeFileAtomic(path, this.#roundTrips.map(trip => `${formatLine(trip)}\n`).join(''));
  }
}

/** Formats a measurement as AIPerf does. */
function formatLine({ target, atMs, durationMs, error }: RoundTrip): string {
  return stringifyJson({
    timestamp_ns: BigInt(atMs) * 1_000_000n,
    target_url: target.url,
    target_host: target.host,
    target_port: target.port,
    probe_type: 'tcp_connect',
    ...(durationMs === undefined ? {} : { rtt_ns: Math.round(durationMs * 1e6) }),
    success: durationMs !== undefined,
    ...(error ? { error } : {}),
  });
}
