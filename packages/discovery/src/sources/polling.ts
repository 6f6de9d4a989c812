import type { Target } from '@org/scrape';
import { ChangeLatch } from './changeLatch.ts';
import { ProblemReporter } from './problemReporter.ts';
import { SourceError } from './sourceError.ts';
import { hasSameTargets } from './targetChanges.ts';

/** A list of targets that is read again at regular times. */
export interface Polling {
  /** Reads the current targets. Throws `SourceError` if they cannot be read. */
  readonly read: (signal: AbortSignal) => Promise<readonly Target[]>;
  /** Time between two reads, in milliseconds. */
  readonly refreshMs: number;
  /** Starts a read before the time has elapsed. */
  readonly latch?: ChangeLatch;
  readonly signal: AbortSignal;
  readonly onProblem: (message: string) => void;
}

/**
 * Yields the targets after the first read, and again after each change. Throws if the first read fails; later failures
 * are reported, and the last list stays valid.
 */
export async function* pollTargets(polling: Polling): AsyncGenerator<readonly Target[]> {
  const { refreshMs, latch = new ChangeLatch(), signal, onProblem } = polling;
  const problems = new ProblemReporter(onProblem);
  let current: readonly Target[] | undefined;
  while (!signal.aborted) {
    const next = await readOrReport(polling, problems, current === undefined);
    if (signal.aborted) return;
    if (next && (current === undefined || !hasSameTargets(current, next))) {
      current = next;
      yield next;
    }
    await latch.wait(signal, refreshMs);
  }
}

/** Reads the targets. Returns undefined if reading fails and this is not the first read. */
async function readOrReport(
  { read, signal }: Polling,
  problems: ProblemReporter,
  isFirst: boolean,
): Promise<readonly Target[] | undefined> {
  try {
    const targets = await read(signal);
    problems.clear();
    return targets;
  } catch (error) {
    if (signal.aborted) return undefined;
    if (isFirst || !(error instanceof SourceError)) throw error;
    problems.report(error.message);
    return undefined;
  }
}
