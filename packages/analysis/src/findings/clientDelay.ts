import { formatPercent, formatValue } from '@org/core';
import { listProfileMetrics } from '@org/formats/read';
import type { Run } from '../run/run.ts';

/** The delay of the client's timestamps or requests, compared with a measured latency. */
export interface ClientDelay {
  /** Ratio of the delay to the median latency. */
  readonly share: number;
  /** Utilization of the client's event loop, from 0 to 1. */
  readonly utilization: number;
  readonly text: string;
  readonly numbers: Readonly<Record<string, number>>;
}

/** The latency to compare with: of the whole request, or of its first measured event. */
export type ComparedLatency = 'latency' | 'first_event';

/**
 * Measures the larger delay of the client: of its event loop, or, compared with the latency of requests, of
 * sending. Returns undefined if the load generator did not measure delays, as with AIPerf.
 */
export function measureClientDelay(
  { profile }: Pick<Run, 'profile'>,
  compared: ComparedLatency,
): ClientDelay | undefined {
  const { load_generator: client } = profile ?? {};
  const latency = profile && readMedianLatency(profile, compared);
  if (!client || !latency) return undefined;
  const eventLoopMs = client.event_loop_delay_p99_ms ?? 0;
  // Latencies start when a request is sent, so a late start does not change them.
  const sendMs = compared === 'latency' ? (client.send_delay_p99_ms ?? 0) : 0;
  const delayMs = Math.max(eventLoopMs, sendMs);
  const share = delayMs / latency.ms;
  const delayText = formatValue(delayMs, 'milliseconds');
  return {
    share,
    utilization: client.event_loop_utilization ?? 0,
    text: `${sendMs > eventLoopMs ? 'requests were sent' : 'the event loop was'} ${delayText} late (p99), ${formatPercent(share)} of the median ${latency.name} (${formatValue(latency.ms, 'milliseconds')})`,
    numbers: { delay_ms: delayMs, latency_ms: latency.ms, share },
  };
}

const LATENCIES: Readonly<Record<ComparedLatency, readonly (readonly [tag: string, name: string])[]>> = {
  latency: [['request_latency', 'request latency']],
  first_event: [
    ['time_to_first_token', 'time to first token'],
    ['request_latency', 'request latency'],
  ],
};

function readMedianLatency(
  profile: NonNullable<Run['profile']>,
  compared: ComparedLatency,
): { readonly name: string; readonly ms: number } | undefined {
  const metrics = new Map(listProfileMetrics(profile));
  for (const [tag, name] of LATENCIES[compared]) {
    const { p50 } = (metrics.get(tag) ?? {}) as { readonly p50?: number };
    if (p50 !== undefined && p50 > 0) return { name, ms: p50 };
  }
  return undefined;
}
