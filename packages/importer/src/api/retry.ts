import { setTimeout as sleep } from 'node:timers/promises';
import type { ImportEventSink } from '../importEvents.ts';
import { ApiError } from './apiClient.ts';
import { ResponseError } from './sampleReader.ts';

/** Pauses before repeated attempts, in milliseconds. */
export const RETRY_PAUSES_MS: readonly number[] = [500, 2000, 5000];

/** When to repeat an attempt that failed, and how to report it. */
export interface RetryPolicy {
  readonly retryPausesMs: readonly number[];
  readonly signal: AbortSignal;
  readonly onEvent: ImportEventSink;
}

/** Calls `attempt`, and repeats it a few times after failures that may be transient. */
export async function retryTransient<T>(
  { retryPausesMs, signal, onEvent }: RetryPolicy,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let attempts = 0; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      const pauseMs = retryPausesMs[attempts];
      const isTransient = error instanceof ApiError ? error.isTransient : error instanceof ResponseError;
      if (pauseMs === undefined || !isTransient || signal.aborted) throw error;
      onEvent({ type: 'retried', message: (error as Error).message });
      await sleep(pauseMs, undefined, { signal });
    }
  }
}
