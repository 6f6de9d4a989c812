/** The text format of a body. */
export type ExpositionFormat = 'classic' | 'openmetrics';

/**
 * The Accept header: the classic text format. OpenMetrics is parsed if a server offers nothing else, but it
 * is not requested, because prometheus_client prefers it as soon as it is listed, and its bodies are larger.
 */
export const ACCEPT = 'text/plain;version=0.0.4;q=1,text/plain;q=0.9,*/*;q=0.1';

/**
 * Returns the media type of a Content-Type header in lower case, without parameters. Empty for a missing
 * header.
 */
function parseMediaType(contentType: string | null | undefined): string {
  return (contentType ?? '').split(';', 1)[0]!.trim().toLowerCase();
}

/**
 * Returns the format announced by a Content-Type header. `json` bodies are not metrics and need not be read;
 * every other type is treated as classic text until the body proves otherwise.
 */
export function detectFormat(contentType: string | null | undefined): ExpositionFormat | 'json' {
  const type = parseMediaType(contentType);
  if (type === 'application/json') return 'json';
  return type === 'application/openmetrics-text' ? 'openmetrics' : 'classic';
}
