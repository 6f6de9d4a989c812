import type { TimeSpread } from '../run/eventLoopDelay.ts';
import type { PhaseSummary, StopReason } from '../run/loadOptions.ts';
import type { LoadSummary, LostWorker } from '../run/loadSummary.ts';
import { type LoadWarning, warningsFor } from '../run/loadWarning.ts';
import type { DoneMessage } from './messages.ts';

/** Why a phase stopped is what stopped the first thread; a thread that had nothing left to do has stopped for want of sessions. */
const REASONS: readonly StopReason[] = ['interrupted', 'duration', 'requests', 'schedule', 'sessions'];

/** One phase of all threads. */
export function mergedPhase(parts: readonly PhaseSummary[]): PhaseSummary {
  const sum = (of: (part: PhaseSummary) => number): number =>
    parts.reduce((total, part) => total + of(part), 0);
  return {
    phase: parts[0]!.phase,
    startNs: Math.min(...parts.map(({ startNs }) => startNs)),
    sentNs: Math.max(...parts.map(({ sentNs }) => sentNs)),
    endNs: Math.max(...parts.map(({ endNs }) => endNs)),
    sent: sum(({ sent }) => sent),
    succeeded: sum(({ succeeded }) => succeeded),
    failed: sum(({ failed }) => failed),
    cancelled: sum(({ cancelled }) => cancelled),
    sessions: sum(({ sessions }) => sessions),
    unsent: sum(({ unsent }) => unsent),
    stopped: REASONS.find(reason => parts.some(({ stopped }) => stopped === reason))!,
  };
}

/** What a run of several threads comes to: of lag and work, those of the worst thread. */
export function mergedSummary(parts: {
  readonly originNs: bigint;
  readonly phases: readonly PhaseSummary[];
  readonly wasCancelled: boolean;
  /** Whether requests never wait for a place. */
  readonly isOpen: boolean;
  readonly done: readonly DoneMessage[];
  readonly lateness: TimeSpread;
  readonly medianFirstTokenNs: number;
  readonly tokenizer: string;
  readonly workers: number;
  readonly lost: readonly LostWorker[];
}): LoadSummary {
  const { done, lateness, isOpen, lost, medianFirstTokenNs, ...rest } = parts;
  const lags = done.map(({ summary }) => summary.eventLoopLag);
  const lag = lags.reduce((worst, one) => (one.p99Ns > worst.p99Ns ? one : worst), NONE);
  const busy = Math.max(0, ...done.map(({ summary }) => summary.clientBusy));
  const heldNs = Math.max(0, ...done.map(one => one.heldNs));
  const silentEnds = done.reduce((sum, { summary }) => sum + summary.silentEnds, 0);
  const figures = {
    lag,
    busy,
    lateness: isOpen ? lateness : { ...lateness, p99Ns: 0 },
    medianFirstTokenNs,
    heldNs,
    silentEnds,
  };
  return {
    ...rest,
    eventLoopLag: lag,
    clientBusy: busy,
    sendLateness: lateness,
    silentEnds,
    lost,
    warnings: [...lost.map(lossWarning), ...warningsFor(figures)],
  };
}

const NONE: TimeSpread = { count: 0, meanNs: 0, p50Ns: 0, p99Ns: 0, maxNs: 0 };

function lossWarning({ workerId, message, requests }: LostWorker): LoadWarning {
  const lost = requests === 0 ? '' : `; how ${requests} request(s) that it had sent ended is not known`;
  return { kind: 'worker_lost', message: `${workerId} ended early (${message}), and the run was cut${lost}` };
}
