import type { ScrapeLimits } from '@org/scrape';

/** Credentials of HTTP basic authentication; the password is given, or read from a file. */
export interface BasicAuth {
  readonly username: string;
  readonly password?: string;
  readonly password_file?: string;
}

/** TLS settings: paths of PEM files, and whether to skip certificate verification. */
export interface TlsSettings {
  readonly ca_file?: string;
  readonly cert_file?: string;
  readonly key_file?: string;
  readonly insecure?: boolean;
}

/**
 * Settings for scraping an endpoint: the `defaults` or a target of the configuration file, or command-line options. Fields
 * have the same names as in the file. Paths are absolute.
 */
export interface AccessSettings {
  /** In seconds. */
  readonly interval?: number;
  /** In seconds. */
  readonly timeout?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly bearer_token?: string;
  readonly bearer_token_file?: string;
  readonly basic_auth?: BasicAuth;
  readonly basic_auth_file?: string;
  readonly tls?: TlsSettings;
  readonly compressed?: boolean;
  readonly limits?: Partial<ScrapeLimits>;
}

/** A target of the configuration file: the metrics endpoint `url`, or `server`, the base URL of its API. */
export interface TargetSettings extends AccessSettings {
  readonly url?: string;
  readonly server?: string;
}

/** The contents of a configuration file. */
export interface Config {
  readonly defaults: AccessSettings;
  readonly targets: readonly TargetSettings[];
}

/** Settings that set the authorization. Only one of them is used. */
const AUTHORIZATION_KEYS = ['bearer_token', 'bearer_token_file', 'basic_auth', 'basic_auth_file'] as const;

/** Reports whether settings include credentials, as a setting or as an `Authorization` header. */
export function hasAuthorization(settings: AccessSettings): boolean {
  const headers = Object.keys(settings.headers ?? {});
  return (
    AUTHORIZATION_KEYS.some(key => settings[key] !== undefined) ||
    headers.some(name => name.toLowerCase() === 'authorization')
  );
}

/**
 * Merges settings; `upper` takes precedence. Headers are merged by name and limits one by one. The authorization is replaced as a
 * whole, and so is the client certificate with its key.
 */
export function mergeSettings(lower: AccessSettings, upper: AccessSettings): AccessSettings {
  const remaining = hasAuthorization(upper) ? omit(lower, AUTHORIZATION_KEYS) : lower;
  const headers = mergeHeaders(lower.headers, upper.headers);
  const tls = lower.tls || upper.tls ? mergeTls(lower.tls ?? {}, upper.tls ?? {}) : undefined;
  const limits = lower.limits || upper.limits ? { ...lower.limits, ...upper.limits } : undefined;
  return {
    ...remaining,
    ...upper,
    ...(headers ? { headers } : {}),
    ...(tls ? { tls } : {}),
    ...(limits ? { limits } : {}),
  };
}

function mergeTls(lower: TlsSettings, upper: TlsSettings): TlsSettings {
  const remaining = upper.cert_file === undefined ? lower : omit(lower, ['cert_file', 'key_file']);
  return { ...remaining, ...upper };
}

/** Merges headers; their names are compared case-insensitively. */
function mergeHeaders(
  lower: AccessSettings['headers'],
  upper: AccessSettings['headers'],
): Record<string, string> | undefined {
  if (!lower || !upper) return upper ?? lower;
  const names = new Set(Object.keys(upper).map(name => name.toLowerCase()));
  const remaining = Object.entries(lower).filter(([name]) => !names.has(name.toLowerCase()));
  return Object.fromEntries([...remaining, ...Object.entries(upper)]);
}

function omit<T extends object, K extends keyof T>(object: T, keys: readonly K[]): T {
  const remaining = Object.entries(object).filter(([key]) => !keys.includes(key as K));
  return Object.fromEntries(remaining) as T;
}

/**
 * Headers that the HTTP client sets itself. A request that overrides them is malformed or never completes.
 * https://www.rfc-editor.org/rfc/rfc9110#name-connection
 */
const CONNECTION_HEADERS = ['content-length', 'expect', 'keep-alive', 'transfer-encoding', 'upgrade'];

/** Describes why a header cannot be set, as the end of a sentence about it; undefined if it can. */
export function describeHeaderProblem(name: string): string | undefined {
  if (!CONNECTION_HEADERS.includes(name.toLowerCase())) return undefined;
  return `is ${name}, which is set by the HTTP client; expected a header other than ${CONNECTION_HEADERS.join(', ')}`;
}
