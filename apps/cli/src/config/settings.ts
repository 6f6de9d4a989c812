import type { ScrapeLimits } from '@org/scrape';

/** A user and what proves it. */
export interface BasicAuth {
  readonly username: string;
  readonly password?: string;
  readonly password_file?: string;
}

/** Paths of PEM files, and whether to believe any server. */
export interface TlsSettings {
  readonly ca_file?: string;
  readonly cert_file?: string;
  readonly key_file?: string;
  readonly insecure?: boolean;
}

/**
 * How an endpoint is to be spoken to, as a user says it: in `defaults` or an entry of the configuration file, or by options.
 * Names are those of the file. Paths are absolute.
 */
export interface AccessSettings {
  /** Seconds. */
  readonly interval?: number;
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

/** An endpoint of the configuration file: `url` names it, or `server` the API beside it. */
export interface TargetSettings extends AccessSettings {
  readonly url?: string;
  readonly server?: string;
}

/** What a configuration file says. */
export interface Config {
  readonly defaults: AccessSettings;
  readonly targets: readonly TargetSettings[];
}

/** Ways to say who we are: of two layers the upper one's wins, whichever it is. */
const AUTH = ['bearer_token', 'bearer_token_file', 'basic_auth', 'basic_auth_file'] as const;

/** Whether a layer has credentials of its own: in one of the ways for that, or in a header of its own making. */
export function saysWhoWeAre(settings: AccessSettings): boolean {
  const names = Object.keys(settings.headers ?? {});
  return (
    AUTH.some(key => settings[key] !== undefined) ||
    names.some(name => name.toLowerCase() === 'authorization')
  );
}

/**
 * One layer over another. Headers join by name and limits each by itself; authorization is one thing, and so is our own
 * certificate with its key.
 */
export function layered(lower: AccessSettings, upper: AccessSettings): AccessSettings {
  const below = saysWhoWeAre(upper) ? without(lower, AUTH) : lower;
  const headers = joinedHeaders(lower.headers, upper.headers);
  const tls = lower.tls || upper.tls ? joinedTls(lower.tls ?? {}, upper.tls ?? {}) : undefined;
  const limits = lower.limits || upper.limits ? { ...lower.limits, ...upper.limits } : undefined;
  return {
    ...below,
    ...upper,
    ...(headers ? { headers } : {}),
    ...(tls ? { tls } : {}),
    ...(limits ? { limits } : {}),
  };
}

function joinedTls(lower: TlsSettings, upper: TlsSettings): TlsSettings {
  const own = upper.cert_file === undefined ? lower : without(lower, ['cert_file', 'key_file']);
  return { ...own, ...upper };
}

function joinedHeaders(
  lower: AccessSettings['headers'],
  upper: AccessSettings['headers'],
): Record<string, string> | undefined {
  if (!lower || !upper) return upper ?? lower;
  const names = new Set(Object.keys(upper).map(name => name.toLowerCase()));
  const kept = Object.entries(lower).filter(([name]) => !names.has(name.toLowerCase()));
  return Object.fromEntries([...kept, ...Object.entries(upper)]);
}

function without<T extends object, K extends keyof T>(object: T, keys: readonly K[]): T {
  const left = Object.entries(object).filter(([key]) => !keys.includes(key as K));
  return Object.fromEntries(left) as T;
}
