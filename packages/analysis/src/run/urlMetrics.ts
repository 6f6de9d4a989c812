import type { ProfileExport } from '@org/formats';
import type { Run } from './run.ts';

/** The requests that the client sent to one of several URLs. Latencies are in ms. */
export interface UrlMetrics {
  readonly url: string;
  /** Requests that succeeded. */
  readonly requests: number;
  readonly failed: number;
  /** Requests per second that met all limits of `--goodput`, over the duration of the run; absent without limits. */
  readonly goodput?: number;
  readonly latency?: UrlLatency;
  readonly firstToken?: UrlLatency;
}

/** The latency of the requests of a URL. */
export interface UrlLatency {
  readonly avg?: number;
  readonly p50?: number;
  readonly p99?: number;
}

type Blocks = NonNullable<ProfileExport['url_metrics']>[number]['metrics'];

/** Lists the metrics of each URL that requests were sent to; empty with a single URL. */
export function listUrlMetrics({ profile }: Pick<Run, 'profile'>): UrlMetrics[] {
  return (profile?.url_metrics ?? []).map(({ url_index: index, url, metrics }) => ({
    url: url ?? `URL ${index + 1}`,
    requests: metrics.request_count?.avg ?? 0,
    failed: metrics.error_request_count?.avg ?? 0,
    ...(metrics.goodput?.avg === undefined ? {} : { goodput: metrics.goodput.avg }),
    ...readLatency(metrics, 'latency', 'request_latency'),
    ...readLatency(metrics, 'firstToken', 'time_to_first_token'),
  }));
}

function readLatency(metrics: Blocks, field: 'latency' | 'firstToken', tag: string): Partial<UrlMetrics> {
  const block = metrics[tag];
  if (block === undefined) return {};
  const { avg, p50, p99 } = block;
  return {
    [field]: {
      ...(avg !== undefined && { avg }),
      ...(p50 !== undefined && { p50 }),
      ...(p99 !== undefined && { p99 }),
    },
  };
}

/**
 * Explains why the goodput of each server is unknown, although the run has a goodput and several servers; undefined if it
 * is known, or if there is nothing to know.
 */
export function explainUnknownGoodput(run: Pick<Run, 'profile' | 'endpoints'>): string | undefined {
  const { profile, endpoints } = run;
  const servers = endpoints.filter(({ state }) => state === 'ok' || state === 'impaired').length;
  const hasGoodput = (profile as { readonly goodput?: unknown } | undefined)?.goodput !== undefined;
  if (!hasGoodput || servers < 2 || (profile?.url_metrics ?? []).length > 0) return undefined;
  return 'goodput per server is not known: all requests were sent to one URL, and responses do not name the server';
}
