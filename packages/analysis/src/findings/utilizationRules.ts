import { formatNumber, formatPercent } from '@org/core';
import { measureClientDelay } from './clientDelay.ts';
import { hasOwnLoad } from './loadSource.ts';
import { createLoadRule, type LoadRule } from './rule.ts';
import { findStalls } from './stalls.ts';
import { describeAverage, describeSystem } from './systemEvidence.ts';

/** The load did not reach the servers. */
export const IDLE_SERVER: LoadRule = createLoadRule(
  {
    id: 'idle-server',
    severity: 'warning',
    title: 'the server was idle',
    advice:
      'Check that the load was sent to this server during the profiling phase, and not to another one or through a load balancer.',
    thresholds: {},
  },
  system => {
    const { inFlight, output, failed, failedShare } = system;
    const isKnown = inFlight !== undefined || output !== undefined;
    // Requests that failed on the server reached it. If all requests failed on the client, their causes are reported.
    if (!isKnown || (inFlight?.max ?? 0) > 0 || (output ?? 0) > 0 || failed > 0 || failedShare === 1)
      return undefined;
    const text = [
      ...(output === undefined ? [] : ['no output']),
      ...(inFlight === undefined ? [] : ['no running requests']),
    ].join(' and ');
    return describeSystem(system, { text, numbers: { output: 0 }, magnitude: 0 });
  },
);

/** The client limits the load. */
export const CLIENT_BOTTLENECK: LoadRule = createLoadRule(
  {
    id: 'client-bottleneck',
    severity: 'warning',
    title: 'the client is the bottleneck',
    advice:
      'The client could not send requests or read responses faster: use more threads (--workers) or several clients.',
    thresholds: {
      share: { value: 0.1, meaning: 'minimum ratio of the client’s delay to the median latency' },
      utilization: { value: 0.8, meaning: 'minimum utilization of the client’s event loop' },
      failed: { value: 0.05, meaning: 'maximum fraction of the requests that failed' },
    },
  },
  (system, limits) => {
    // Failures change the work of the client, and the latencies to compare with.
    if (system.failedShare > limits.failed) return undefined;
    const delay = measureClientDelay(system.run, 'latency');
    if (!delay || delay.share < limits.share || delay.utilization < limits.utilization) return undefined;
    return {
      evidence: [
        {
          text: `${delay.text}; the event loop was busy for ${formatPercent(delay.utilization)} of the time`,
          numbers: delay.numbers,
          magnitude: delay.share,
        },
      ],
    };
  },
);

/** The servers could process more requests at a time. */
export const SPARE_CAPACITY: LoadRule = createLoadRule(
  {
    id: 'spare-capacity',
    severity: 'note',
    title: 'the server had room',
    advice: 'For the maximum throughput, increase concurrency or request rate.',
    thresholds: {
      running: { value: 4, meaning: 'maximum mean number of requests in the server' },
      waiting: { value: 0.5, meaning: 'maximum mean number of waiting requests' },
      failed: { value: 0.05, meaning: 'maximum fraction of the requests that failed' },
    },
  },
  (system, limits) => {
    const { inFlight, waiting, running, slots, failedShare, run } = system;
    if (!inFlight || !waiting || inFlight.avg <= 0) return undefined;
    if (inFlight.avg >= limits.running || waiting.avg >= limits.waiting) return undefined;
    if (slots !== undefined && inFlight.avg >= slots / 2) return undefined;
    // A server that rejects requests has few of them.
    if (failedShare > limits.failed) return undefined;
    // Averages include the stall.
    if (findStalls(run).length > 0) return undefined;
    return {
      ...(!hasOwnLoad(run) && {
        title: 'the server was not saturated',
        advice: 'For the maximum throughput, increase the load of your load generator.',
      }),
      ...describeSystem(system, {
        text: `${formatAverage((running ?? inFlight).avg)} running and ${formatAverage(waiting.avg)} waiting ${describeAverage(system)}`,
        numbers: { running: (running ?? inFlight).avg, waiting: waiting.avg },
        magnitude: -inFlight.avg,
      }),
    };
  },
);

/** Formats a mean number of requests with two significant digits. */
function formatAverage(value: number): string {
  return formatNumber(Number(value.toPrecision(2)));
}
