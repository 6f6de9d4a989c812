import { DEFAULT_LIMITS, LIMIT_NAMES, type ScrapeLimits, type Target } from '@org/scrape';
import type { AccessSettings } from './settings.ts';

/** What stands in a secret's place. */
const HIDDEN = '<hidden>';

/** One endpoint as it will be scraped: name and value of each setting, without secrets. */
export function describeTarget(
  target: Target,
  settings: AccessSettings,
  standard: { readonly intervalMs: number; readonly timeoutMs: number },
): string[] {
  const { interval, timeout, headers = {}, compressed, limits = {} } = settings;
  const rows: [string, string][] = [
    ['interval', `${interval ?? standard.intervalMs / 1000} s`],
    ['timeout', `${timeout ?? standard.timeoutMs / 1000} s`],
    ...Object.keys(headers).map((name): [string, string] => ['header', `${name}: ${HIDDEN}`]),
    ['authorization', authorization(target, settings)],
    ['tls', tls(target, settings)],
    ...(compressed ? [['compressed', 'yes'] as [string, string]] : []),
    ...limitRows(limits),
  ];
  return [target.url, ...rows.map(([name, value]) => `  ${name.padEnd(14)} ${value}`)];
}

function authorization({ credentials }: Target, settings: AccessSettings): string {
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
  const from = basic.password_file === undefined ? HIDDEN : `from ${basic.password_file}`;
  return `basic, user ${JSON.stringify(basic.username)}, password ${from}`;
}

function tls({ url }: Target, { tls: settings = {} }: AccessSettings): string {
  const { ca_file, cert_file, key_file, insecure } = settings;
  const said = [
    ...(insecure ? ['any server is believed'] : []),
    ...(ca_file === undefined ? [] : [`issuers of ${ca_file} are trusted, too`]),
    ...(cert_file === undefined ? [] : [`our certificate is ${cert_file}, its key ${key_file}`]),
  ].join('; ');
  if (url.startsWith('http:')) return said === '' ? 'none' : `none, for the URL is http:// (${said})`;
  return said === '' ? 'usual' : said;
}

/** Those that are not the usual ones. */
function limitRows(limits: Partial<ScrapeLimits>): [string, string][] {
  return (Object.keys(DEFAULT_LIMITS) as (keyof ScrapeLimits)[])
    .filter(field => limits[field] !== undefined)
    .map(field => ['limit', `${LIMIT_NAMES[field]} ${limits[field]}`]);
}
