import type { Authorization } from '../credentials/authorization.ts';
import { isSecretName } from '../credentials/secretNames.ts';
import type { Trust } from '../credentials/trust.ts';
import type { ScrapeLimits } from '../http/limits.ts';

/** How one target is spoken to, where that differs from what is done for all. */
export interface Access {
  /** Sent with every request; values are never shown. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What goes into the Authorization header. */
  readonly authorization?: Authorization;
  /** Whom to believe in TLS, and who we are. */
  readonly trust?: Trust;
  /** What a scrape may take from the request to the last byte, in ms. */
  readonly timeoutMs?: number;
  /** Between two scrapes, in ms. */
  readonly intervalMs?: number;
  readonly limits?: Partial<ScrapeLimits>;
  /** Ask for a compressed body: for a slow network, at the cost of the server's CPU. */
  readonly compressed?: boolean;
}

/** What an endpoint's owner asked to have scraped, and where else it may be found. */
export interface Target {
  /** The URL without credentials, fragment and secrets in its query. It names the endpoint in every export. */
  readonly url: string;
  /** The URL to fetch, when its query carries a secret that `url` leaves out; never shown. See `fetchUrl`. */
  readonly fetchUrl?: string;
  /** Credentials that the URL carried, for the Authorization header; never shown. */
  readonly credentials?: { readonly user: string; readonly password: string };
  /** Where to look when `url` answers 404 at the first contact: the metrics at the server's root. */
  readonly alternatives: readonly string[];
  /** How its server is spoken to, where that is said. */
  readonly access?: Access;
}

/** An endpoint was named in a way that cannot be a URL. */
export class TargetError extends Error {
  override readonly name: string = 'TargetError';
}

const EXPECTED = 'expected host:port or http(s)://host[:port][/path]';
/** Stands in the place of a secret in a query; needs no escape there. */
const REDACTED = 'REDACTED';
const METRICS = '/metrics';
const PROMETHEUS_METRICS = '/prometheus/metrics';

/**
 * The target that a `--server-metrics` token names: `/metrics` is added unless the path ends in it, `http://` when there is
 * no scheme (reference A4). Throws `TargetError` for what cannot be a URL.
 */
export function metricsTarget(token: string): Target {
  const url = parseToken(token);
  if (!/^https?:/i.test(token.trim()) && !token.includes(':'))
    throw targetError(token, 'it has neither scheme nor port');
  return targetOf(url, []);
}

/**
 * The target of a server that is given by the base of its API (`--url`): `<base>/metrics`, and when there is nothing, the
 * server's root (a base such as `http://host:8000/v1` has its metrics there). A scheme and a port may be missing.
 */
export function serverTarget(base: string): Target {
  const url = parseToken(base);
  const root = new URL(METRICS, url).href;
  const target = targetOf(url, []);
  return root === target.url ? target : { ...target, alternatives: [root] };
}

/** Targets in their order, each URL once. Those that differ in a secret only are told apart by a number in its place. */
export function uniqueTargets(targets: Iterable<Target>): Target[] {
  const byUrl = new Map<string, Target>();
  const names = new Set<string>();
  for (const target of targets) {
    const fetched = target.fetchUrl ?? target.url;
    if (byUrl.has(fetched)) continue;
    const named = { ...target, url: freeName(target.url, names) };
    names.add(named.url);
    byUrl.set(fetched, named);
  }
  return [...byUrl.values()];
}

function freeName(url: string, taken: ReadonlySet<string>): string {
  let name = url;
  for (let n = 2; taken.has(name); n++) name = url.replace(`=${REDACTED}`, `=${REDACTED}-${n}`);
  return name;
}

/** What to fetch for a URL of a target as it is shown: the same, with the secrets that its query leaves out. */
export function fetchUrl(target: Target, shown: string): string {
  if (target.fetchUrl === undefined) return shown;
  const url = new URL(shown);
  if (url.search !== new URL(target.url).search) return shown;
  url.search = new URL(target.fetchUrl).search;
  return url.href;
}

/**
 * Where TensorRT-LLM mounts its exposition when `/metrics` is something else: `<base>/prometheus/metrics`. Undefined when
 * the URL does not end in `/metrics`, or is that path already (seed 002, "TRT-LLM fallback").
 */
export function prometheusFallback(url: string): string | undefined {
  const parsed = new URL(url);
  const { pathname } = parsed;
  if (!pathname.endsWith(METRICS) || pathname.endsWith(PROMETHEUS_METRICS)) return undefined;
  parsed.pathname = pathname.slice(0, -METRICS.length) + PROMETHEUS_METRICS;
  return parsed.href;
}

function targetOf(url: URL, alternatives: readonly string[]): Target {
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith(METRICS) ? path : path + METRICS;
  url.hash = '';
  const { username, password } = url;
  url.username = '';
  url.password = '';
  const shown = hideQuerySecrets(url.href);
  return {
    url: shown,
    ...(shown === url.href ? {} : { fetchUrl: url.href }),
    ...(username === '' && password === ''
      ? {}
      : { credentials: { user: percentDecoded(username), password: percentDecoded(password) } }),
    alternatives,
  };
}

/** Percent signs that escape nothing stand for themselves: people paste passwords as they are. */
function percentDecoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, escapes => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes;
    }
  });
}

function parseToken(token: string): URL {
  const text = token.trim();
  if (text === '') throw targetError(token, 'it is empty');
  if (/\s/.test(text)) throw targetError(token, 'it contains a blank');
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https')
    throw targetError(token, `its scheme is ${scheme}`);
  try {
    return new URL(scheme === undefined ? `http://${text}` : text);
  } catch {
    throw targetError(token, 'it is not a URL');
  }
}

function targetError(token: string, why: string): TargetError {
  const shown = /^(?:[a-z][a-z0-9+.-]*:)?\/\//i.test(token)
    ? hidePassword(token)
    : hidePassword(`//${token}`).slice(2);
  return new TargetError(`cannot scrape ${JSON.stringify(shown)}: ${why}; ${EXPECTED}`);
}

/** A URL as it may be shown: without user, password and secrets in its query. */
export function hidePassword(url: string): string {
  return hideQuerySecrets(url)
    .replace(/^((?:(?:[a-z][a-z0-9+.-]*:)?\/\/)?)[^/?#]*@/i, '$1')
    .replace(UNESCAPED_LOGIN, '$1');
}

/** `http://me:pass/word@host` is no URL, for a password has its slashes escaped. What stands where a port would is none. */
const UNESCAPED_LOGIN = /^((?:[a-z][a-z0-9+.-]*:)?\/\/)[^/?#@[]*:(?!\d*(?:[/?#]|$)).*@/is;

function hideQuerySecrets(url: string): string {
  return url.replace(/([?&])([^=&#\s]+)=([^&#\s]+)/g, (pair: string, before: string, name: string) =>
    isSecretName(percentDecoded(name)) ? `${before}${name}=${REDACTED}` : pair,
  );
}
