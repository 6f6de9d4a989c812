import type { NetworkLatencyPlan } from '@org/run';
import { UsageError } from '@org/terminal';
import { type RawOptions, readNumber, readSeconds } from '@org/terminal/program';

const DEFAULT_INTERVAL_S = 1;
/** Minimum time between measurements, in seconds. */
const MIN_INTERVAL_S = 0.01;

/** Reads the options for the round trip to the servers; undefined if none is set. Throws `UsageError` if they are invalid. */
export function readNetworkLatency(raw: RawOptions): NetworkLatencyPlan | undefined {
  const meanMs = readNumber(raw, 'network-latency-mean', { min: 0, unit: 'milliseconds' });
  const intervalS = readSeconds(raw, 'network-latency-ping-interval', MIN_INTERVAL_S);
  const isMeasured = raw['network-latency-automatic'] === true;
  if (isMeasured && meanMs !== undefined)
    throw new UsageError(
      'cannot use both --network-latency-automatic, which measures the round trip, and --network-latency-mean, which sets it',
    );
  if (intervalS !== undefined && !isMeasured)
    throw new UsageError('--network-latency-ping-interval requires --network-latency-automatic');
  if (isMeasured) return { intervalS: intervalS ?? DEFAULT_INTERVAL_S };
  return meanMs === undefined ? undefined : { meanMs };
}
