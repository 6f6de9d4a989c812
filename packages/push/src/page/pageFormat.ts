import type { PageFormat } from './renderPage.ts';

/**
 * Chooses the format of a metrics page by the `Accept` header: OpenMetrics if the client prefers it to plain text, otherwise
 * Prometheus' text format.
 */
export function choosePageFormat(accept: string | undefined): PageFormat {
  const openMetrics = findQuality(accept, ['application/openmetrics-text']);
  const text = findQuality(accept, ['text/plain', 'text/*', '*/*']);
  return openMetrics > 0 && openMetrics >= text ? 'openmetrics' : 'prometheus';
}

/** Returns the highest quality of media types; 0 if the header does not contain them. */
function findQuality(accept: string | undefined, types: readonly string[]): number {
  let highest = 0;
  for (const part of accept?.split(',') ?? []) {
    const [type = '', ...parameters] = part.split(';').map(text => text.trim().toLowerCase());
    if (types.includes(type)) highest = Math.max(highest, readQuality(parameters));
  }
  return highest;
}

function readQuality(parameters: readonly string[]): number {
  const text = parameters.find(parameter => parameter.startsWith('q='))?.slice(2);
  const quality = text === undefined ? 1 : Number(text);
  return Number.isNaN(quality) ? 0 : quality;
}
