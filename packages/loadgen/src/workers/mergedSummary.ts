import { formatCount } from '@org/core';
import { findFailureWarnings } from '../run/failureWarnings.ts';
import {
  type LoadSummary,
  type LostWorker,
  type PhaseSummary,
  selectStopReason,
  wasAborted,
} from '../run/loadSummary.ts';
import { findWarnings, type LoadWarning } from '../run/loadWarning.ts';
import { mergeTemplateProblems } from '../run/templateProblems.ts';
import type { TimeStats } from '../run/timeHistogram.ts';
import type { DoneMessage } from './messages.ts';

const NO_TIMES: TimeStats = { count: 0, meanNs: 0, p50Ns: 0, p99Ns: 0, maxNs: 0 };

/** Merges the threads' summaries of one phase. */
export function mergePhases(summaries: readonly PhaseSummary[]): PhaseSummary {
  const sum = (read: (summary: PhaseSummary) => number): number =>
    summaries.reduce((total, summary) => total + read(summary), 0);
  return {
    phase: summaries[0]!.phase,
    startNs: Math.min(...summaries.map(({ startNs }) => startNs)),
    sentNs: Math.max(...summaries.map(({ sentNs }) => sentNs)),
    endNs: Math.max(...summaries.map(({ endNs }) => endNs)),
    sent: sum(({ sent }) => sent),
    succeeded: sum(({ succeeded }) => succeeded),
    failed: sum(({ failed }) => failed),
    cancelled: sum(({ cancelled }) => cancelled),
    sessions: sum(({ sessions }) => sessions),
    unsent: sum(({ unsent }) => unsent),
    connectionWaits: sum(({ connectionWaits }) => connectionWaits),
    connectionWaitNs: sum(({ connectionWaitNs }) => connectionWaitNs),
    stopReason: selectStopReason(summaries.map(({ stopReason }) => stopReason)),
  };
}

/** Merges the results of all threads. Event-loop delay and utilization are the maximum over the threads. */
export function mergeSummaries(results: {
  readonly originNs: bigint;
  readonly phases: readonly PhaseSummary[];
  readonly wasCancelled: boolean;
  readonly failedRequestThreshold: number | undefined;
  /** True if requests never wait for a concurrency slot. */
  readonly isUnlimited: boolean;
  readonly done: readonly DoneMessage[];
  readonly sendDelay: TimeStats;
  readonly medianFirstTokenNs: number;
  readonly tokenizer: string;
  readonly workers: number;
  readonly lostWorkers: readonly LostWorker[];
}): LoadSummary {
  const { done, sendDelay, isUnlimited, lostWorkers, medianFirstTokenNs, ...others } = results;
  const { failedRequestThreshold, wasCancelled, ...commonFields } = others;
  const { phases } = commonFields;
  const summaries = done.map(({ summary }) => summary);
  const eventLoopDelay = summaries.reduce(
    (worst, { eventLoopDelay: delay }) => (delay.p99Ns > worst.p99Ns ? delay : worst),
    NO_TIMES,
  );
  const utilization = Math.max(0, ...summaries.map(({ clientBusy }) => clientBusy));
  const pausedNs = Math.max(0, ...done.map(message => message.pausedNs));
  const missingEndMarkers = summaries.reduce((sum, summary) => sum + summary.missingEndMarkers, 0);
  const templateProblems = mergeTemplateProblems(summaries.map(summary => summary.templateProblems));
  const stats = {
    ...(templateProblems ? { templateProblems } : {}),
    eventLoopDelay,
    utilization,
    sendDelay: isUnlimited ? sendDelay : { ...sendDelay, p99Ns: 0 },
    medianFirstTokenNs,
    pausedNs,
    missingEndMarkers,
  };
  return {
    ...commonFields,
    wasCancelled: wasCancelled || wasAborted(phases),
    eventLoopDelay,
    clientBusy: utilization,
    sendDelay,
    missingEndMarkers,
    ...(templateProblems ? { templateProblems } : {}),
    lostWorkers,
    warnings: [
      ...lostWorkers.map(createLossWarning),
      ...findFailureWarnings(phases, failedRequestThreshold),
      ...findWarnings(stats),
    ],
  };
}

function createLossWarning({ workerId, message, requests }: LostWorker): LoadWarning {
  const outcomeText =
    requests === 0 ? '' : `; the outcome of ${formatCount(requests, 'in-flight request')} is unknown`;
  return { kind: 'worker_lost', message: `${workerId} failed (${message}); run aborted${outcomeText}` };
}
