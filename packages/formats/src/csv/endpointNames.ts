/**
 * Returns the names of endpoints in the Endpoint column: host, port and path, without `/metrics` as in AIPerf's files, and
 * without credentials. Endpoints that would have the same name keep their scheme and path.
 */
export function nameEndpoints(urls: readonly string[]): Map<string, string> {
  const short = new Map(urls.map(url => [url, shortenUrl(url)]));
  const uses = new Map<string, number>();
  for (const name of short.values()) uses.set(name, (uses.get(name) ?? 0) + 1);
  return new Map([...short].map(([url, name]) => [url, uses.get(name)! > 1 ? removeCredentials(url) : name]));
}

function shortenUrl(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed?.host) return url;
  const path = parsed.pathname.replace(/\/+$/, '').replace(/\/metrics$/, '');
  return parsed.host + path + parsed.search;
}

function removeCredentials(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || (!parsed.username && !parsed.password)) return url;
  parsed.username = '';
  parsed.password = '';
  return parsed.href;
}
