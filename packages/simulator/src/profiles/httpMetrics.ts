import type { MetricFamily, Registry } from '../metrics/registry.ts';
import type { Summary } from '../metrics/series.ts';
import { HTTP_COARSE_BOUNDS, HTTP_FINE_BOUNDS } from './bucketBounds.ts';
import type { HttpExchange } from './profile.ts';

/**
 * Declares the families of the FastAPI instrumentation. Returns a function that records a request. Series by
 * handler do not exist before the first request.
 */
export function declareHttp(registry: Registry): (exchange: HttpExchange) => void {
  const requests = registry.counter('http_requests', 'HTTP requests by handler, method and status class');
  const requestSize: MetricFamily<Summary> = registry.summary(
    'http_request_size_bytes',
    'Request size in bytes',
  );
  const responseSize = registry.summary('http_response_size_bytes', 'Response size in bytes');
  const fine = registry
    .histogram('http_request_duration_highr_seconds', 'HTTP request duration in seconds', HTTP_FINE_BOUNDS)
    .labels({});
  const coarse = registry.histogram(
    'http_request_duration_seconds',
    'HTTP request duration by handler in seconds',
    HTTP_COARSE_BOUNDS,
  );
  return ({ handler, method, status, durationS, requestBytes, responseBytes }) => {
    requests.labels({ handler, method, status: `${Math.floor(status / 100)}xx` }).inc();
    requestSize.labels({ handler }).observe(requestBytes);
    responseSize.labels({ handler }).observe(responseBytes);
    fine.observe(durationS);
    coarse.labels({ handler, method }).observe(durationS);
  };
}
