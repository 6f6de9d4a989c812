import type { Scrape } from './scrape.ts';
import { type Target, toFallbackUrl } from './target.ts';

/** The result of trying other URLs than the one of a target. */
export interface AlternativeScrape {
  /** The first URL that works, and its scrape; undefined if none works. */
  readonly found: { readonly url: string; readonly scrape: Scrape } | undefined;
  /** The scrape with the most specific failure: `not_prometheus` takes precedence over the failure of the first scrape. */
  readonly failed: Scrape;
}

/**
 * Tries other URLs after a failed scrape of an endpoint that has never succeeded: the TensorRT-LLM fallback
 * of each page that is not in Prometheus format, and the alternatives of the target if the server
 * responded.
 *
 * @param first the failed scrape of `firstUrl`
 */
export async function tryAlternatives(
  target: Target,
  firstUrl: string,
  first: Scrape,
  scrapeUrl: (url: string) => Promise<Scrape>,
): Promise<AlternativeScrape> {
  const urls = first.fetched.status === undefined ? [] : [...target.alternatives];
  let failed = first;
  enqueueFallback(urls, firstUrl, first);
  for (let url = urls.shift(); url !== undefined; url = urls.shift()) {
    const scrape = await scrapeUrl(url);
    if (scrape.frame) return { found: { url, scrape }, failed };
    if (!isNotPrometheus(failed) && isNotPrometheus(scrape)) failed = scrape;
    enqueueFallback(urls, url, scrape);
  }
  return { found: undefined, failed };
}

/** Puts `<base>/prometheus/metrics` first in the queue if the scraped page is not in Prometheus format. */
function enqueueFallback(urls: string[], url: string, scrape: Scrape): void {
  const fallback = isNotPrometheus(scrape) ? toFallbackUrl(url) : undefined;
  if (fallback !== undefined) urls.unshift(fallback);
}

function isNotPrometheus({ failure }: Scrape): boolean {
  return failure?.reason === 'not_prometheus';
}
