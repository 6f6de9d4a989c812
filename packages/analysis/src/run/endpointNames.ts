import { nameEndpoints } from '@org/formats/read';

/**
 * Short names that keep endpoints apart: host and port where no other endpoint has them, else with path and query as in
 * the CSV export. What a CSV calls an endpoint is short already.
 */
export function shortenEndpointNames(urls: Iterable<string>): Map<string, string> {
  const all = [...new Set(urls)];
  const hosts = new Map(all.map(url => [url, hostOf(url)]));
  const uses = new Map<string, number>();
  for (const host of hosts.values()) uses.set(host, (uses.get(host) ?? 0) + 1);
  const longer = nameEndpoints(all);
  return new Map([...hosts].map(([url, host]) => [url, uses.get(host) === 1 ? host : longer.get(url)!]));
}

function hostOf(url: string): string {
  return /^https?:\/\//.test(url) && URL.canParse(url) ? new URL(url).host : url;
}
