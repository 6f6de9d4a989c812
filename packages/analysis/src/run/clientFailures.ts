import type { ProfileMetric } from '@org/formats';
import type { Run } from './run.ts';
import { readStat } from './series.ts';

/** The requests of the load generator by outcome, and the causes of its failures. */
export interface ClientFailures {
  readonly attempts: number;
  readonly failed: number;
  readonly cancelled: number;
  /** Most frequent first. */
  readonly causes: readonly ClientCause[];
}

/** A cause of failures, such as `HTTP 503: overloaded`. */
export interface ClientCause {
  readonly type: string;
  readonly text: string;
  readonly count: number;
}

/** Reads the failures of the load generator; undefined if the run has no client metrics. */
export function readClientFailures(run: Run): ClientFailures | undefined {
  const read = (tag: string): number | undefined => {
    const block = run.profile?.[tag] as ProfileMetric | undefined;
    // A CSV profile export contains only metrics.
    const family = run.families.get(tag);
    const series = family?.type === 'client' ? family.series[0] : undefined;
    return block?.avg ?? (series && readStat(series, 'avg'));
  };
  const succeeded = read('request_count');
  const failed = read('error_request_count');
  if (succeeded === undefined && failed === undefined) return undefined;
  const cancelled = read('cancelled_request_count') ?? 0;
  return {
    attempts: (succeeded ?? 0) + (failed ?? 0) + cancelled,
    failed: failed ?? 0,
    cancelled,
    causes: listCauses(run),
  };
}

/**
 * Counts the requests whose connections the load generator closed before the response was complete: cancelled
 * requests and timeouts.
 */
export function countClosedByClient({ cancelled, causes }: ClientFailures): number {
  const timeouts = causes.filter(({ type }) => /timeout/i.test(type));
  return timeouts.reduce((sum, { count }) => sum + count, cancelled);
}

/** Counts the requests that failed with an HTTP status. */
export function countHttpFailures({ causes }: Pick<ClientFailures, 'causes'>): number {
  return causes.reduce((sum, { type, count }) => (type === 'HTTP' ? sum + count : sum), 0);
}

function listCauses({ profile }: Run): ClientCause[] {
  const causes = (profile?.error_summary ?? []).map(({ error_details: details, count }): ClientCause => {
    const { type, code, message } = details ?? {};
    const name = type === 'HttpError' ? 'HTTP' : (type ?? 'error');
    const kind = typeof code === 'number' ? `${name} ${code}` : name;
    // The message of an HTTP error begins with its status.
    const text = (message ?? '').replace(/^HTTP status \d+(?:: )?/, '');
    return { type: name, text: text === '' ? kind : `${kind}: ${text}`, count };
  });
  return causes.sort((a, b) => b.count - a.count);
}
