import { decodePercent, REDACTED_IN_URL, redactQuery, redactUrl } from '@org/core';
import type { Authorization } from '../credentials/authorization.ts';
import type { TlsConfig } from '../credentials/tlsConfig.ts';
import type { ScrapeLimits } from '../http/limits.ts';

/** Connection settings of one target, which override the common settings of the run. */
export interface Access {
  /** Headers to send with every request. Values are never shown. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Supplies the Authorization header. */
  readonly authorization?: Authorization;
  readonly tls?: TlsConfig;
  /** Scrape timeout, from the request to the last byte, in milliseconds. */
  readonly timeoutMs?: number;
  /** Scrape interval, in milliseconds. */
  readonly intervalMs?: number;
  /** Limits that differ from `DEFAULT_LIMITS`. */
  readonly limits?: Partial<ScrapeLimits>;
  /** True to request compressed bodies, which saves bandwidth but costs the server CPU time. */
  readonly compressed?: boolean;
}

/** A configured endpoint: its URL, connection settings and alternative URLs. */
export interface Target {
  /**
   * The URL without userinfo and fragment, and with secret query values redacted. Identifies the endpoint in
   * exports.
   */
  readonly url: string;
  /** The URL to fetch, if its query contains secrets that are redacted in `url`; never shown. */
  readonly fetchUrl?: string;
  /** The userinfo of the URL, for the Authorization header; never shown. */
  readonly credentials?: { readonly user: string; readonly password: string };
  /**
   * URLs to try if the first scrape of `url` does not return metrics, such as `/metrics` at the server's
   * root.
   */
  readonly alternatives: readonly string[];
  /** True if the URL was derived from the URL of the server's API, which may not have metrics. */
  readonly isDerived?: true;
  /** True if the user wants exactly this URL, so that no other one is tried. */
  readonly isExact?: true;
  /** Connection settings that override the common settings of the run. */
  readonly access?: Access;
  /** Labels of the endpoint from service discovery, such as `pod` and `node`. */
  readonly labels?: Readonly<Record<string, string>>;
  /**
   * Identity of the process behind the URL, such as the UID of a pod. An endpoint with another identity is another
   * endpoint, even if its URL is the same.
   */
  readonly identity?: string;
}

/** Error thrown for an invalid endpoint URL. */
export class TargetError extends Error {
  override readonly name: string = 'TargetError';
}

/** Maximum length of a URL. Most servers reject request lines of more than 8 KiB. */
export const MAX_URL_CHARACTERS = 8192;

/** Maximum length of a rejected URL in a message. */
const MAX_SHOWN_CHARACTERS = 200;

const EXPECTED_URL = 'expected host:port or http(s)://host[:port][/path]';
const METRICS_PATH = '/metrics';
/** Ends of paths of metrics pages: of most servers, of Envoy and Istio, of Prometheus' federation, and of Spring Boot. */
const METRICS_PATHS = [METRICS_PATH, '/stats/prometheus', '/federate', '/actuator/prometheus'];
/** Prefix of a URL that is scraped as it is. */
const EXACT_PREFIX = 'exact:';
const PROMETHEUS_METRICS_PATH = '/prometheus/metrics';

/**
 * Parses a `--server-metrics` value. As in AIPerf, `http://` is prepended if the scheme is missing, and `/metrics` is
 * appended unless the path already ends in it. Other well-known paths of metrics, such as `/stats/prometheus`, and URLs
 * with the prefix `exact:` are kept. Throws `TargetError` if the URL is invalid, or has neither a scheme nor a port.
 */
export function parseMetricsTarget(token: string): Target {
  const text = token.trim();
  return text.startsWith(EXACT_PREFIX)
    ? parseExactTarget(text)
    : toTarget(completePath(parseMetricsUrl(token)), []);
}

/** Parses a metrics URL that is scraped as it is; the prefix `exact:` is optional. Throws like `parseMetricsTarget`. */
export function parseExactTarget(token: string): Target {
  const text = token.trim();
  const url = text.startsWith(EXACT_PREFIX) ? text.slice(EXACT_PREFIX.length) : token;
  return { ...toTarget(parseMetricsUrl(url), []), isExact: true };
}

function parseMetricsUrl(token: string): URL {
  const url = parseToken(token);
  if (!/^https?:/i.test(token.trim()) && !token.includes(':'))
    throw createTargetError(token, 'scheme and port are missing');
  return url;
}

/**
 * Derives the metrics target of a server from its API URL (`--url`): `<base>/metrics`, with `/metrics` at the
 * server's root as an alternative for URLs such as `http://host:8000/v1`. Scheme and port are optional.
 * Throws `TargetError` if the URL is invalid.
 */
export function parseServerTarget(base: string): Target {
  const url = parseToken(base);
  const root = new URL(METRICS_PATH, url).href;
  const target = { ...toTarget(completePath(url), []), isDerived: true as const };
  return root === target.url ? target : { ...target, alternatives: [root] };
}

/**
 * Removes targets with the same URL, keeping the order. If URLs differ only in a secret, the placeholders of
 * the secrets are numbered, so that `url` stays unique.
 */
export function deduplicateTargets(targets: Iterable<Target>): Target[] {
  const byUrl = new Map<string, Target>();
  const usedUrls = new Set<string>();
  for (const target of targets) {
    const requestUrl = target.fetchUrl ?? target.url;
    const previous = byUrl.get(requestUrl);
    if (previous) {
      if (!target.isDerived) byUrl.set(requestUrl, toExplicit(previous));
      continue;
    }
    const uniqueTarget = { ...target, url: toUniqueUrl(target.url, usedUrls) };
    usedUrls.add(uniqueTarget.url);
    byUrl.set(requestUrl, uniqueTarget);
  }
  return [...byUrl.values()];
}

/** Returns a target that the user also named explicitly. */
function toExplicit({ isDerived: _, ...target }: Target): Target {
  return target;
}

function toUniqueUrl(url: string, usedUrls: ReadonlySet<string>): string {
  let uniqueUrl = url;
  for (let n = 2; usedUrls.has(uniqueUrl); n++)
    uniqueUrl = url.replace(`=${REDACTED_IN_URL}`, `=${REDACTED_IN_URL}-${n}`);
  return uniqueUrl;
}

/**
 * Returns the URL to fetch for a redacted URL of a target: the same URL with the secret query values
 * restored.
 */
export function restoreQuerySecrets(target: Target, redactedUrl: string): string {
  if (target.fetchUrl === undefined) return redactedUrl;
  const url = new URL(redactedUrl);
  if (url.search !== new URL(target.url).search) return redactedUrl;
  url.search = new URL(target.fetchUrl).search;
  return url.href;
}

/**
 * Returns `<base>/prometheus/metrics` for `<base>/metrics`. TensorRT-LLM serves Prometheus metrics at this
 * path, because its `/metrics` has another format. Returns undefined for other URLs.
 */
export function toFallbackUrl(url: string): string | undefined {
  const parsed = new URL(url);
  const { pathname } = parsed;
  if (!pathname.endsWith(METRICS_PATH) || pathname.endsWith(PROMETHEUS_METRICS_PATH)) return undefined;
  parsed.pathname = pathname.slice(0, -METRICS_PATH.length) + PROMETHEUS_METRICS_PATH;
  return parsed.href;
}

/** Appends `/metrics` to the path of a URL, unless it ends in the path of a metrics page. */
function completePath(url: URL): URL {
  const completed = new URL(url);
  const path = url.pathname.replace(/\/+$/, '');
  completed.pathname = METRICS_PATHS.some(end => path.endsWith(end)) ? path : path + METRICS_PATH;
  return completed;
}

function toTarget(url: URL, alternatives: readonly string[]): Target {
  url.hash = '';
  const { username, password } = url;
  url.username = '';
  url.password = '';
  const redactedUrl = redactQuery(url.href);
  return {
    url: redactedUrl,
    ...(redactedUrl === url.href ? {} : { fetchUrl: url.href }),
    ...(username === '' && password === ''
      ? {}
      : { credentials: { user: decodePercent(username), password: decodePercent(password) } }),
    alternatives,
  };
}

function parseToken(token: string): URL {
  const text = token.trim();
  if (text === '') throw createTargetError(token, 'empty URL');
  if (text.length > MAX_URL_CHARACTERS)
    throw createTargetError(token, `${text.length} characters; the maximum is ${MAX_URL_CHARACTERS}`);
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
  const redactedToken = /^(?:[a-z][a-z0-9+.-]*:)?\/\//i.test(token)
    ? redactUrl(token)
    : redactUrl(`//${token}`).slice(2);
  const shown =
    redactedToken.length > MAX_SHOWN_CHARACTERS
      ? `${redactedToken.slice(0, MAX_SHOWN_CHARACTERS)}…`
      : redactedToken;
  return new TargetError(`cannot scrape ${JSON.stringify(shown)}: ${problem}; ${EXPECTED_URL}`);
}
