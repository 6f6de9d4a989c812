import { decodePercent, REDACTED_IN_URL, redactQuery, redactUrl } from '@org/core';
import type { Authorization } from '../credentials/authorization.ts';
import type { TlsConfig } from '../credentials/tlsConfig.ts';
import type { ScrapeLimits } from '../http/limits.ts';

/** Connection settings of one target that override the common ones. */
export interface Access {
  /** Headers to send with every request. Values are never shown. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Supplies the Authorization header. */
  readonly authorization?: Authorization;
  /** TLS settings. */
  readonly tls?: TlsConfig;
  /** Scrape timeout, from the request to the last byte, in milliseconds. */
  readonly timeoutMs?: number;
  /** Scrape interval, in milliseconds. */
  readonly intervalMs?: number;
  readonly limits?: Partial<ScrapeLimits>;
  /** Requests compressed bodies: useful on slow networks, at the cost of the server's CPU. */
  readonly compressed?: boolean;
}

/** A configured endpoint: its URL, connection settings and alternative URLs. */
export interface Target {
  /**
   * The URL without userinfo, fragment and secret query values. It identifies the endpoint in every export.
   */
  readonly url: string;
  /** The URL to fetch, if its query contains secrets that `url` leaves out; never shown. See `fetchUrl`. */
  readonly fetchUrl?: string;
  /** The userinfo of the URL, for the Authorization header; never shown. */
  readonly credentials?: { readonly user: string; readonly password: string };
  /**
   * URLs to try if `url` does not serve metrics at the first contact, such as the metrics page at the
   * server's root.
   */
  readonly alternatives: readonly string[];
  /** Connection settings that override the common ones. */
  readonly access?: Access;
}

/** An invalid endpoint URL. */
export class TargetError extends Error {
  override readonly name: string = 'TargetError';
}

const EXPECTED_URL = 'expected host:port or http(s)://host[:port][/path]';
const METRICS = '/metrics';
const PROMETHEUS_METRICS = '/prometheus/metrics';

/**
 * Returns the target of a `--server-metrics` value. `/metrics` is appended unless the path ends in it, and
 * `http://` is prepended if there is no scheme, as AIPerf does. Throws `TargetError` for an invalid URL.
 */
export function parseMetricsTarget(token: string): Target {
  const url = parseToken(token);
  if (!/^https?:/i.test(token.trim()) && !token.includes(':'))
    throw createTargetError(token, 'scheme and port are missing');
  return toTarget(url, []);
}

/**
 * Returns the target of a server given by its API URL (`--url`): `<base>/metrics`, with `/metrics` at the
 * server's root as an alternative for bases such as `http://host:8000/v1`. Scheme and port are optional.
 */
export function parseServerTarget(base: string): Target {
  const url = parseToken(base);
  const root = new URL(METRICS, url).href;
  const target = toTarget(url, []);
  return root === target.url ? target : { ...target, alternatives: [root] };
}

/**
 * Removes duplicate URLs, keeping the order. Targets that differ only in a secret get numbered placeholders.
 */
export function deduplicateTargets(targets: Iterable<Target>): Target[] {
  const byUrl = new Map<string, Target>();
  const names = new Set<string>();
  for (const target of targets) {
    const fetched = target.fetchUrl ?? target.url;
    if (byUrl.has(fetched)) continue;
    const named = { ...target, url: findUnusedName(target.url, names) };
    names.add(named.url);
    byUrl.set(fetched, named);
  }
  return [...byUrl.values()];
}

function findUnusedName(url: string, taken: ReadonlySet<string>): string {
  let name = url;
  for (let n = 2; taken.has(name); n++) name = url.replace(`=${REDACTED_IN_URL}`, `=${REDACTED_IN_URL}-${n}`);
  return name;
}

/** Returns the URL to fetch for a URL of a target as shown, with the secrets of the query restored. */
export function restoreQuerySecrets(target: Target, shown: string): string {
  if (target.fetchUrl === undefined) return shown;
  const url = new URL(shown);
  if (url.search !== new URL(target.url).search) return shown;
  url.search = new URL(target.fetchUrl).search;
  return url.href;
}

/**
 * Returns `<base>/prometheus/metrics`, where TensorRT-LLM serves Prometheus metrics when `/metrics` is
 * something else. Undefined if the URL does not end in `/metrics`, or is that path already.
 */
export function toFallbackUrl(url: string): string | undefined {
  const parsed = new URL(url);
  const { pathname } = parsed;
  if (!pathname.endsWith(METRICS) || pathname.endsWith(PROMETHEUS_METRICS)) return undefined;
  parsed.pathname = pathname.slice(0, -METRICS.length) + PROMETHEUS_METRICS;
  return parsed.href;
}

function toTarget(url: URL, alternatives: readonly string[]): Target {
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith(METRICS) ? path : path + METRICS;
  url.hash = '';
  const { username, password } = url;
  url.username = '';
  url.password = '';
  const shown = redactQuery(url.href);
  return {
    url: shown,
    ...(shown === url.href ? {} : { fetchUrl: url.href }),
    ...(username === '' && password === ''
      ? {}
      : { credentials: { user: decodePercent(username), password: decodePercent(password) } }),
    alternatives,
  };
}

function parseToken(token: string): URL {
  const text = token.trim();
  if (text === '') throw createTargetError(token, 'empty URL');
  if (/\s/.test(text)) throw createTargetError(token, 'whitespace in the URL');
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https')
    throw createTargetError(token, `unsupported scheme ${scheme}`);
  try {
    return new URL(scheme === undefined ? `http://${text}` : text);
  } catch {
    throw createTargetError(token, 'not a valid URL');
  }
}

function createTargetError(token: string, problem: string): TargetError {
  const shown = /^(?:[a-z][a-z0-9+.-]*:)?\/\//i.test(token)
    ? redactUrl(token)
    : redactUrl(`//${token}`).slice(2);
  return new TargetError(`cannot scrape ${JSON.stringify(shown)}: ${problem}; ${EXPECTED_URL}`);
}
