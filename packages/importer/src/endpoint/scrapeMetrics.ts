/**
 * Metrics that Prometheus adds to each scrape. They are not metrics of the server.
 * https://prometheus.io/docs/concepts/jobs_instances/
 */
const SCRAPE_METRICS: ReadonlySet<string> = new Set([
  'up',
  'scrape_body_size_bytes',
  'scrape_duration_seconds',
  'scrape_response_size_bytes',
  'scrape_sample_limit',
  'scrape_samples_limit',
  'scrape_samples_post_metric_relabeling',
  'scrape_samples_scraped',
  'scrape_series_added',
  'scrape_series_current',
  'scrape_series_limit',
  'scrape_series_limit_samples_dropped',
  'scrape_timeout_seconds',
]);

/** The metric with the outcome of each scrape: 1 or 0. */
export const UP_METRIC = 'up';

/** Reports whether a metric describes a scrape, instead of the server. */
export function isScrapeMetric(name: string): boolean {
  return SCRAPE_METRICS.has(name);
}
