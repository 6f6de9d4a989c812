/** The text format of a body. */
export type ExpositionFormat = 'classic' | 'openmetrics';

/**
 * The Accept header, which requests the classic text format. OpenMetrics is supported but not listed:
 * prometheus_client would prefer it over the classic format, and its bodies are larger.
 */
export const ACCEPT = 'text/plain;version=0.0.4;q=1,text/plain;q=0.9,*/*;q=0.1';

/**
 * Returns the media type of a Content-Type header in lower case, without parameters; empty if the header is
 * missing.
 */
function parseMediaType(contentType: string | null | undefined): string {
  return (contentType ?? '').split(';', 1)[0]!.trim().toLowerCase();
}

/**
 * Returns the format announced by a Content-Type header. `json` bodies are not metrics and need not be read.
 * All other media types except OpenMetrics are parsed as classic text.
 */
export function detectFormat(contentType: string | null | undefined): ExpositionFormat | 'json' {
  const type = parseMediaType(contentType);
  if (type === 'application/json') return 'json';
  return type === 'application/openmetrics-text' ? 'openmetrics' : 'classic';
}
