/** How a body is written. */
export type ExpositionFormat = 'classic' | 'openmetrics';

/**
 * What we ask for: the classic text. OpenMetrics is understood where a server has nothing else, but not asked for:
 * prometheus_client answers with it as soon as it is mentioned, and its bodies are larger.
 * https://prometheus.io/docs/instrumenting/content_negotiation/
 */
export const ACCEPT = 'text/plain;version=0.0.4;q=1,text/plain;q=0.9,*/*;q=0.1';

/** The media type of a Content-Type header, lower case and without parameters; empty when there is none. */
export function parseMediaType(contentType: string | null | undefined): string {
  return (contentType ?? '').split(';', 1)[0]!.trim().toLowerCase();
}

/**
 * The format that a Content-Type announces. `json` means that the body is not an exposition and need not be read
 * (seed 002, "Compatibility & auto-disable"); any other type is taken for the classic text until the body says otherwise.
 */
export function detectFormat(contentType: string | null | undefined): ExpositionFormat | 'json' {
  const type = parseMediaType(contentType);
  if (type === 'application/json') return 'json';
  return type === 'application/openmetrics-text' ? 'openmetrics' : 'classic';
}
