/**
 * What the Endpoint column calls an endpoint: host, port and path without `/metrics`, as AIPerf does, and
 * without credentials. Endpoints that would share a name keep scheme and path, so that rows stay apart.
 */
export function nameEndpoints(urls: readonly string[]): Map<string, string> {
  const short = new Map(urls.map(url => [url, shortName(url)]));
  const uses = new Map<string, number>();
  for (const name of short.values()) uses.set(name, (uses.get(name) ?? 0) + 1);
  return new Map(
    [...short].map(([url, name]) => [url, uses.get(name)! > 1 ? withoutCredentials(url) : name]),
  );
}

function shortName(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed?.host) return url;
  const path = parsed.pathname.replace(/\/+$/, '').replace(/\/metrics$/, '');
  return parsed.host + path + parsed.search;
}

function withoutCredentials(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || (!parsed.username && !parsed.password)) return url;
  parsed.username = '';
  parsed.password = '';
  return parsed.href;
}
