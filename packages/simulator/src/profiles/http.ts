import type { MetricFamily, Registry } from '../metrics/registry.ts';
import type { Summary } from '../metrics/series.ts';
import { httpCoarse, httpFine } from './buckets.ts';
import type { HttpExchange } from './profile.ts';

/** The families of FastAPI's instrumentation, which have no series until the first request. Returns what counts one. */
export function declareHttp(registry: Registry): (exchange: HttpExchange) => void {
  const requests = registry.counter('http_requests', 'HTTP requests by handler, method and class of status');
  const requestSize: MetricFamily<Summary> = registry.summary(
    'http_request_size_bytes',
    'Size of requests in bytes',
  );
  const responseSize = registry.summary('http_response_size_bytes', 'Size of responses in bytes');
  const fine = registry
    .histogram('http_request_duration_highr_seconds', 'HTTP requests, in seconds', httpFine)
    .labels({});
  const coarse = registry.histogram(
    'http_request_duration_seconds',
    'HTTP requests by handler, in seconds',
    httpCoarse,
  );
  return ({ handler, method, status, durationS, requestBytes, responseBytes }) => {
    requests.labels({ handler, method, status: `${Math.floor(status / 100)}xx` }).inc();
    requestSize.labels({ handler }).observe(requestBytes);
    responseSize.labels({ handler }).observe(responseBytes);
    fine.observe(durationS);
    coarse.labels({ handler, method }).observe(durationS);
  };
}
