import type { ScrapeLimits } from '@org/scrape';

/** Credentials for HTTP basic authentication. The password is either given or read from a file. */
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
 * Settings for scraping an endpoint: the `defaults` or a target of the configuration file, or command-line
 * options. Fields have the same names as in the file. Paths are absolute.
 */
export interface AccessSettings {
  /** The scrape interval, in seconds. */
  readonly interval?: number;
  /** The scrape timeout, in seconds. */
  readonly timeout?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly bearer_token?: string;
  readonly bearer_token_file?: string;
  readonly basic_auth?: BasicAuth;
  readonly basic_auth_file?: string;
  readonly tls?: TlsSettings;
  /** True to request compressed responses. */
  readonly compressed?: boolean;
  readonly limits?: Partial<ScrapeLimits>;
}

/** A target of the configuration file: the metrics endpoint `url`, or `server`, the base URL of its API. */
export interface TargetSettings extends AccessSettings {
  readonly url?: string;
  readonly server?: string;
  /** True to scrape exactly `url`. */
  readonly exact?: boolean;
  /** Labels of the endpoint. */
  readonly labels?: Readonly<Record<string, string>>;
}

/** Keys of the settings for authorization. At most one of them is set. */
const AUTHORIZATION_KEYS = ['bearer_token', 'bearer_token_file', 'basic_auth', 'basic_auth_file'] as const;

/** Reports whether settings include credentials, in a field or in an `Authorization` header. */
export function hasAuthorization(settings: AccessSettings): boolean {
  const headers = Object.keys(settings.headers ?? {});
  return (
    AUTHORIZATION_KEYS.some(key => settings[key] !== undefined) ||
    headers.some(name => name.toLowerCase() === 'authorization')
  );
}

/**
 * Merges settings; `overrides` takes precedence. Headers are merged by name, and limits individually. The
 * authorization settings are replaced together, as are the client certificate and its key.
 */
export function mergeSettings(base: AccessSettings, overrides: AccessSettings): AccessSettings {
  const remaining = hasAuthorization(overrides) ? omit(base, AUTHORIZATION_KEYS) : base;
  const headers = mergeHeaders(base.headers, overrides.headers);
  const tls = base.tls || overrides.tls ? mergeTls(base.tls ?? {}, overrides.tls ?? {}) : undefined;
  const limits = base.limits || overrides.limits ? { ...base.limits, ...overrides.limits } : undefined;
  return {
    ...remaining,
    ...overrides,
    ...(headers ? { headers } : {}),
    ...(tls ? { tls } : {}),
    ...(limits ? { limits } : {}),
  };
}

function mergeTls(base: TlsSettings, overrides: TlsSettings): TlsSettings {
  const remaining = overrides.cert_file === undefined ? base : omit(base, ['cert_file', 'key_file']);
  return { ...remaining, ...overrides };
}

/** Merges headers. Names are compared case-insensitively. */
function mergeHeaders(
  base: AccessSettings['headers'],
  overrides: AccessSettings['headers'],
): Record<string, string> | undefined {
  if (!base || !overrides) return overrides ?? base;
  const names = new Set(Object.keys(overrides).map(name => name.toLowerCase()));
  const remaining = Object.entries(base).filter(([name]) => !names.has(name.toLowerCase()));
  return Object.fromEntries([...remaining, ...Object.entries(overrides)]);
}

function omit<T extends object, K extends keyof T>(object: T, keys: readonly K[]): T {
  const remaining = Object.entries(object).filter(([key]) => !keys.includes(key as K));
  return Object.fromEntries(remaining) as T;
}

/**
 * Headers that only the HTTP client may set. Overriding them makes a request malformed, or prevents its completion.
 * https://www.rfc-editor.org/rfc/rfc9110#name-connection
 */
const CONNECTION_HEADERS = ['content-length', 'expect', 'keep-alive', 'transfer-encoding', 'upgrade'];

/** Returns why a header cannot be set, as the predicate of a sentence. Returns undefined if the header can be set. */
export function describeHeaderProblem(name: string): string | undefined {
  if (!CONNECTION_HEADERS.includes(name.toLowerCase())) return undefined;
  return `is ${name}, which is set by the HTTP client; expected a header other than ${CONNECTION_HEADERS.join(', ')}`;
}
