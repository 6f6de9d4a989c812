import { isSecretName } from '@org/core';
import { DEFAULT_LIMITS, LIMIT_NAMES, type ScrapeLimits, type Target } from '@org/scrape';
import type { AccessSettings } from './accessSettings.ts';

/** The placeholder for secrets. */
const HIDDEN = '<hidden>';

/**
 * Formats the settings of an endpoint as lines: its URL, then the name and value of each setting. Secrets are
 * hidden.
 */
export function describeTarget(
  target: Target,
  settings: AccessSettings,
  defaults: { readonly intervalMs: number; readonly timeoutMs: number },
): string[] {
  const { interval, timeout, headers = {}, compressed, limits = {} } = settings;
  const rows: [string, string][] = [
    ...Object.entries(target.labels ?? {}).map(([name, value]): [string, string] => [
      'label',
      `${name}: ${isSecretName(name) ? HIDDEN : value}`,
    ]),
    ['interval', `${interval ?? defaults.intervalMs / 1000} s`],
    ['timeout', `${timeout ?? defaults.timeoutMs / 1000} s`],
    ...Object.keys(headers).map((name): [string, string] => ['header', `${name}: ${HIDDEN}`]),
    ['authorization', describeAuthorization(target, settings)],
    ['tls', describeTls(target, settings)],
    ...(compressed ? [['compressed', 'yes'] as [string, string]] : []),
    ...listLimitRows(limits),
  ];
  return [target.url, ...rows.map(([name, value]) => `  ${name.padEnd(14)} ${value}`)];
}

function describeAuthorization({ credentials }: Target, settings: AccessSettings): string {
  const {
    bearer_token: token,
    bearer_token_file: file,
    basic_auth: basic,
    basic_auth_file: basicFile,
  } = settings;
  if (credentials) return `basic, user ${JSON.stringify(credentials.user)}, password ${HIDDEN}, from the URL`;
  if (token !== undefined) return `bearer, token ${HIDDEN}`;
  if (file !== undefined) return `bearer, token from ${file}`;
  if (basicFile !== undefined) return `basic, from ${basicFile}`;
  if (!basic) return 'none';
  const password = basic.password_file === undefined ? HIDDEN : `from ${basic.password_file}`;
  return `basic, user ${JSON.stringify(basic.username)}, password ${password}`;
}

function describeTls({ url }: Target, { tls: settings = {} }: AccessSettings): string {
  const { ca_file, cert_file, key_file, insecure } = settings;
  const description = [
    ...(insecure ? ['certificate verification skipped'] : []),
    ...(ca_file === undefined ? [] : [`additional CA certificates from ${ca_file}`]),
    ...(cert_file === undefined ? [] : [`client certificate ${cert_file}, key ${key_file}`]),
  ].join('; ');
  if (url.startsWith('http:'))
    return description === '' ? 'none' : `none, because the URL is http:// (${description})`;
  return description === '' ? 'default' : description;
}

/** Formats the limits that are set as rows of name and value. */
function listLimitRows(limits: Partial<ScrapeLimits>): [string, string][] {
  return (Object.keys(DEFAULT_LIMITS) as (keyof ScrapeLimits)[])
    .filter(field => limits[field] !== undefined)
    .map(field => ['limit', `${LIMIT_NAMES[field]} ${limits[field]}`]);
}
