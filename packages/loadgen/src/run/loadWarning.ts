import type { TimeSpread } from './eventLoopDelay.ts';

/** What makes the client itself doubtful. */
export interface ClientFigures {
  /** Lateness of timers. */
  readonly lag: TimeSpread;
  /** Share of the time in which the event loop was at work, 0 to 1. */
  readonly busy: number;
  /** From the intended time to the real one, of requests that a place was free for. */
  readonly lateness: TimeSpread;
  /** Median time to the first content, ns; 0 when unknown. */
  readonly medianFirstTokenNs: number;
  /** How long nothing new was sent because records were not taken fast enough, ns; of threads of their own. */
  readonly heldNs?: number;
  /** Streams that count as answered, and may have been cut off. */
  readonly silentEnds?: number;
}

/** Something that makes figures doubtful. */
export interface LoadWarning {
  readonly kind:
    | 'event_loop_lag'
    | 'client_busy'
    | 'late_sends'
    | 'records_behind'
    | 'silent_ends'
    | 'worker_lost';
  readonly message: string;
}

/** A measurement may be off by this much, or by this share of what is measured: the larger counts. */
const TOLERATED_NS = 1e6;
const TOLERATED_SHARE = 0.01;
const MOST_BUSY = 0.85;

/** Says when the client, and not the server, may have set the pace. */
export function warningsFor({
  lag,
  busy,
  lateness,
  medianFirstTokenNs,
  heldNs = 0,
  silentEnds = 0,
}: ClientFigures): LoadWarning[] {
  // Where nothing was sent there is nothing that could be doubted.
  if (lateness.count === 0) return [];
  const tolerated = Math.max(TOLERATED_NS, TOLERATED_SHARE * medianFirstTokenNs);
  const warnings: LoadWarning[] = [];
  if (lag.p99Ns > tolerated) {
    const message = `the client is busy: its event loop was late by ${ms(lag.p99Ns)} (p99), and so are its times; use fewer requests at a time, more threads (--workers), or several clients`;
    warnings.push({ kind: 'event_loop_lag', message });
  }
  if (busy > MOST_BUSY) {
    const message = `the client worked ${Math.round(100 * busy)} % of the time, so that it may have set the pace; use more threads (--workers), or several clients`;
    warnings.push({ kind: 'client_busy', message });
  }
  if (lateness.p99Ns > tolerated) {
    const message = `requests were sent late by ${ms(lateness.p99Ns)} (p99) although the schedule had a place for them`;
    warnings.push({ kind: 'late_sends', message });
  }
  if (heldNs > 0) {
    const message = `nothing new was sent for ${ms(heldNs)}, because what was measured could not be written down as fast; use several clients`;
    warnings.push({ kind: 'records_behind', message });
  }
  if (silentEnds > 0) {
    const message = `${silentEnds} stream(s) ended without [DONE], finish_reason or usage, which their server had not said before either: they count as answered, but what is cut off looks the same`;
    warnings.push({ kind: 'silent_ends', message });
  }
  return warnings;
}

function ms(ns: number): string {
  return `${(ns / 1e6).toFixed(1)} ms`;
}
