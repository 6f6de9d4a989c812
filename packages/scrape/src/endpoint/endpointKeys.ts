/**
 * The keys of a run's endpoints. A key is the URL of the endpoint. The second endpoint with a URL has the key `URL#2`,
 * because a fragment is never sent to a server; see docs/decisions/0083-endpoints-come-and-go.md.
 */
export class EndpointKeys {
  /** The URLs that are scraped. */
  readonly #used = new Set<string>();
  /** The number of keys of each URL. */
  readonly #counts = new Map<string, number>();

  /** Marks a URL as scraped, and returns the next key for it. */
  add(url: string): string {
    this.#used.add(url);
    const count = (this.#counts.get(url) ?? 0) + 1;
    this.#counts.set(url, count);
    return count === 1 ? url : `${url}#${count}`;
  }

  /** Adds a URL unless it is scraped. Returns its key; undefined if it is scraped. */
  claim(url: string): string | undefined {
    return this.#used.has(url) ? undefined : this.add(url);
  }

  /** Marks the URL of a key as scraped again. */
  reuse(key: string): void {
    this.#used.add(toUrl(key));
  }

  /** Marks the URL of a key as no longer scraped. */
  release(key: string): void {
    this.#used.delete(toUrl(key));
  }
}

/** Returns the URL of a key. URLs of targets have no fragment. */
function toUrl(key: string): string {
  const at = key.indexOf('#');
  return at < 0 ? key : key.slice(0, at);
}
