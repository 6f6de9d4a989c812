/**
 * Returns the name of each endpoint for the Endpoint column: host, port and path, without credentials and, as
 * in AIPerf's files, without `/metrics`. If two endpoints would have the same name, their full URLs without
 * credentials are used.
 */
export function nameEndpoints(urls: readonly string[]): Map<string, string> {
  const shortNames = new Map(urls.map(url => [url, shortenUrl(url)]));
  const uses = new Map<string, number>();
  for (const name of shortNames.values()) uses.set(name, (uses.get(name) ?? 0) + 1);
  return new Map(
    [...shortNames].map(([url, name]) => [url, uses.get(name)! > 1 ? removeCredentials(url) : name]),
  );
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
