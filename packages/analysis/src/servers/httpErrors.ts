import type { Run } from '../run/run.ts';
import { type RunSeries, readStat } from '../run/series.ts';

/** Labels that contain the HTTP status of responses, or its class. */
const STATUS_LABELS = [
  ...['status', 'status_code', 'code', 'http_status', 'http_status_code', 'response_code'],
  ...['envoy_response_code', 'envoy_response_code_class'],
] as const;

/** Labels that contain the path of requests. */
const PATH_LABELS = ['handler', 'path', 'route', 'uri', 'endpoint', 'url'] as const;

/** Names of counters of HTTP requests. */
const HTTP_NAME = /http|request|response|_rq/;

/** Scrapes and health checks, which are not requests of the load. `none` is a path that the server does not have. */
const IGNORED_PATH = /metrics|health|ready|live|ping|favicon|^none$/;

/** The status of a request whose client closed the connection. */
const CLIENT_CLOSED = '499';

/** HTTP errors that a metric of an endpoint counts. */
export interface HttpErrors {
  readonly endpoint: string;
  readonly metric: string;
  /** Numbers of responses by status, such as `503` or `5xx`. */
  readonly byStatus: ReadonlyMap<string, number>;
}

/** Lists the HTTP errors (4xx and 5xx) that servers of any kind counted, by endpoint and metric. */
export function listHttpErrors({ families }: Run): HttpErrors[] {
  return [...families.values()].flatMap(family => {
    if (family.type !== 'counter' || !HTTP_NAME.test(family.name) || /metric_handler/.test(family.name))
      return [];
    const byEndpoint = new Map<string, Map<string, number>>();
    for (const series of family.series) {
      const status = readErrorStatus(series);
      const count = status === undefined ? 0 : (readStat(series, 'total') ?? 0);
      if (status === undefined || count <= 0) continue;
      const byStatus = byEndpoint.get(series.endpoint) ?? new Map<string, number>();
      byEndpoint.set(series.endpoint, byStatus.set(status, (byStatus.get(status) ?? 0) + count));
    }
    return [...byEndpoint].map(([endpoint, byStatus]) => ({ endpoint, metric: family.name, byStatus }));
  });
}

/** Returns the status of a series of errors, such as `503` or `5xx`; undefined for other series. */
function readErrorStatus({ labels }: Pick<RunSeries, 'labels'>): string | undefined {
  if (PATH_LABELS.some(name => IGNORED_PATH.test(labels[name] ?? ''))) return undefined;
  for (const name of STATUS_LABELS) {
    const value = labels[name];
    if (value === undefined || value === CLIENT_CLOSED) continue;
    if (/^[45](?:\d\d|xx)$/i.test(value)) return value.toLowerCase();
    if (name === 'envoy_response_code_class' && /^[45]$/.test(value)) return `${value}xx`;
  }
  return undefined;
}
