import { redactUrl } from '@org/core';
import { formatTargetKey, type ScrapeTargets } from '../api/metadata.ts';

/**
 * Returns the URL of an endpoint: the one that the server scrapes or, if it does not scrape the target any more,
 * `http://INSTANCE/metrics`. Different targets with the same URL are distinguished by their job.
 */
export function createEndpointUrl(
  job: string,
  instance: string,
  targets: ScrapeTargets,
  used: ReadonlySet<string>,
): string {
  const url = redactUrl(targets.get(formatTargetKey(job, instance))?.url ?? toUrl(job, instance));
  if (!used.has(url)) return url;
  const named = `${url}#${encodeURIComponent(job)}`;
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? named : `${named}-${n}`;
    if (!used.has(candidate)) return candidate;
  }
}

function toUrl(job: string, instance: string): string {
  if (instance === '') return `http://${encodeURIComponent(job === '' ? 'unknown' : job)}.invalid/metrics`;
  const text = /^https?:\/\//i.test(instance) ? instance : `http://${instance}/metrics`;
  try {
    return new URL(text).href;
  } catch {
    return `http://${encodeURIComponent(instance)}/metrics`;
  }
}
