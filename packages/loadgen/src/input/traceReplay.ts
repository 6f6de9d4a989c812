import type { Random } from '@org/core';
import { groupSessions, type TraceEntry } from './traceEntry.ts';

/** The replay of recorded requests; the defaults and formulas are AIPerf's. */
export interface TraceReplay {
  /** Share of the sessions to replay, chosen at random; all by default. */
  readonly sessionShare?: number;
  /** Divides all times; 1 by default. Applied after the offsets of the schedule. */
  readonly speedup?: number;
  /** Longest time without a request, in ms; longer ones are shortened. */
  readonly maxIdleMs?: number;
  /**
   * When the turns of a session are sent: at their timestamps, but not before the previous response (`open`, the default);
   * at their timestamps, as conversations of one turn (`independent`); or after the time that passed between the previous
   * response and the turn when they were recorded (`closed`).
   */
  readonly turns?: 'open' | 'independent' | 'closed';
  /** Leave out recorded hashes and block sizes. */
  readonly omitsHints?: boolean;
  /** Send the recorded output length also as `min_tokens`; true by default. */
  readonly forcesLength?: boolean;
}

/** Selects the sessions of a trace to replay, at least one. */
export function selectSessions(
  entries: readonly TraceEntry[],
  { sessionShare = 1 }: TraceReplay,
  random: Random,
): readonly TraceEntry[] {
  if (sessionShare >= 1) return entries;
  const sessions = groupSessions(entries);
  const selected = sessions.filter(() => random.next() < sessionShare);
  const kept = selected.length === 0 ? sessions.slice(0, 1) : selected;
  const names = new Set(kept.map(([first]) => first!.session));
  return entries.filter(({ session }) => names.has(session));
}

/** Determines the times of the requests of a trace. */
export function replayTrace(entries: readonly TraceEntry[], replay: TraceReplay): readonly TraceEntry[] {
  const { speedup = 1, maxIdleMs, turns = 'open', forcesLength = true } = replay;
  const scaled = entries.map(entry => ({
    ...entry,
    ...(forcesLength ? { forcesLength } : {}),
    timestamp: entry.timestamp === undefined ? undefined : entry.timestamp / speedup,
    durationMs: (entry.durationMs ?? 0) / speedup,
  }));
  const timed = turns === 'closed' ? groupSessions(scaled).flatMap(delayTurns) : scaled;
  const shortened = maxIdleMs === undefined ? timed : shortenGaps(timed, Math.ceil(maxIdleMs));
  return turns === 'independent'
    ? shortened.map((entry, index) => ({ ...entry, session: `${entry.session}#${index}` }))
    : shortened;
}

/** Replaces the timestamps of later turns by delays: the time since the previous turn, without its response. */
function delayTurns(session: readonly TraceEntry[]): TraceEntry[] {
  return session.map((entry, index) => {
    const previous = session[index - 1];
    if (previous === undefined) return entry;
    const gapMs = Math.trunc(entry.timestamp ?? 0) - Math.trunc(previous.timestamp ?? 0);
    const delayMs = Math.max(0, gapMs - (previous.durationMs ?? 0));
    return { ...entry, timestamp: undefined, delayMs };
  });
}

/** Shortens the times without a request. The order of requests and the first timestamp remain. */
function shortenGaps(entries: readonly TraceEntry[], maxMs: number): readonly TraceEntry[] {
  const timed = entries
    .filter(({ timestamp }) => timestamp !== undefined)
    .sort((a, b) => Math.trunc(a.timestamp!) - Math.trunc(b.timestamp!));
  const times = new Map<TraceEntry, number>();
  let [previousMs, newMs] = [Math.trunc(timed[0]?.timestamp ?? 0), Math.trunc(timed[0]?.timestamp ?? 0)];
  for (const entry of timed) {
    const timeMs = Math.trunc(entry.timestamp!);
    newMs += Math.min(timeMs - previousMs, maxMs);
    previousMs = timeMs;
    times.set(entry, newMs);
  }
  return entries.map(entry => (times.has(entry) ? { ...entry, timestamp: times.get(entry)! } : entry));
}
