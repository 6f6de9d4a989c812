import { nameEndpoints } from '@org/formats/read';

/**
 * Returns unique short names of endpoints: host and port, with path and query if several endpoints share them,
 * as in the CSV export. Endpoints in a CSV have short names already.
 */
export function shortenEndpointNames(urls: Iterable<string>): Map<string, string> {
  const all = [...new Set(urls)];
  const hosts = new Map(all.map(url => [url, parseHost(url)]));
  const uses = new Map<string, number>();
  for (const host of hosts.values()) uses.set(host, (uses.get(host) ?? 0) + 1);
  const longer = nameEndpoints(all);
  return new Map([...hosts].map(([url, host]) => [url, uses.get(host) === 1 ? host : longer.get(url)!]));
}

function parseHost(url: string): string {
  return /^https?:\/\//.test(url) && URL.canParse(url) ? new URL(url).host : url;
}
