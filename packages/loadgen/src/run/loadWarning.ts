import { formatCount, formatPercent } from '@org/core';
import { describeTemplateProblems, type TemplateProblems } from './templateProblems.ts';
import type { TimeStats } from './timeHistogram.ts';

/** Statistics that show whether the client limited the load or distorted the measurements. */
export interface ClientStats {
  readonly eventLoopDelay: TimeStats;
  /** Utilization of the event loop, from 0 to 1. */
  readonly utilization: number;
  /** Delay between the intended and the actual send time if concurrency is unlimited; p99 is 0 otherwise. */
  readonly sendDelay: TimeStats;
  /** Median time to first token, or latency of responses that are not streamed, in ns; 0 if unknown. */
  readonly medianFirstTokenNs: number;
  /** Longest time that a worker thread paused sending because its records were not processed fast enough, in ns. */
  readonly pausedNs?: number;
  /** Streams that count as successful but may have been truncated. */
  readonly missingEndMarkers?: number;
  /** Requests whose input could not be counted with the chat template. */
  readonly templateProblems?: TemplateProblems;
}

/** A warning that the measurements may be unreliable. */
export interface LoadWarning {
  readonly kind:
    | 'event_loop_delay'
    | 'client_busy'
    | 'send_delay'
    | 'record_backlog'
    | 'missing_end_markers'
    | 'chat_template'
    | 'network_latency'
    | 'worker_lost'
    | 'failed_request_threshold'
    | 'connection_waits';
  readonly message: string;
}

/**
 * Maximum delay without a warning: this time, or this fraction of the median time to first token, whichever is
 * larger. A smaller delay does not change the conclusions from a measurement.
 */
const MAX_DELAY_NS = 1e6;
const MAX_DELAY_FRACTION = 0.1;
/** Maximum utilization of the event loop without a warning. */
const MAX_UTILIZATION = 0.85;

/** Returns warnings if the client may have limited the load or distorted the measurements. */
export function findWarnings({
  eventLoopDelay,
  utilization,
  sendDelay,
  medianFirstTokenNs,
  pausedNs = 0,
  missingEndMarkers = 0,
  templateProblems,
}: ClientStats): LoadWarning[] {
  // Without requests, there are no measurements to check.
  if (sendDelay.count === 0) return [];
  const maxDelayNs = Math.max(MAX_DELAY_NS, MAX_DELAY_FRACTION * medianFirstTokenNs);
  const warnings: LoadWarning[] = [];
  if (eventLoopDelay.p99Ns > maxDelayNs) {
    const message = `the event loop of the client was ${formatDelay(eventLoopDelay.p99Ns, medianFirstTokenNs)}, so measured times may be late too; use more threads (--workers) or several clients`;
    warnings.push({ kind: 'event_loop_delay', message });
  }
  // Failures without a response keep the client busy, but do not show that it limits the load.
  if (utilization > MAX_UTILIZATION && medianFirstTokenNs > 0) {
    const message = `the client was busy for ${Math.round(100 * utilization)}% of the time and may have limited the load; use more threads (--workers) or several clients`;
    warnings.push({ kind: 'client_busy', message });
  }
  if (sendDelay.p99Ns > maxDelayNs) {
    const message = `requests were sent ${formatDelay(sendDelay.p99Ns, medianFirstTokenNs)}, although a concurrency slot was free`;
    warnings.push({ kind: 'send_delay', message });
  }
  if (pausedNs > 0) {
    const message = `no requests were sent for ${formatMs(pausedNs)} because records could not be written fast enough; use several clients`;
    warnings.push({ kind: 'record_backlog', message });
  }
  if (missingEndMarkers > 0) {
    const message = `${formatCount(missingEndMarkers, 'stream')} ended without [DONE], finish_reason or usage, from servers that had not sent any of them before; these streams count as successful, but may have been truncated`;
    warnings.push({ kind: 'missing_end_markers', message });
  }
  if (templateProblems)
    warnings.push({ kind: 'chat_template', message: describeTemplateProblems(templateProblems) });
  return warnings;
}

function formatDelay(p99Ns: number, medianNs: number): string {
  const share = medianNs > 0 ? `: ${formatPercent(p99Ns / medianNs)} of the median response time` : '';
  return `${formatMs(p99Ns)} late (p99${share})`;
}

function formatMs(ns: number): string {
  return `${(ns / 1e6).toFixed(1)} ms`;
}
