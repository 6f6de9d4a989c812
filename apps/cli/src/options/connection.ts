import { resolve } from 'node:path';
import { REDACTED } from '@org/core';
import type { AccessSettings } from '@org/discovery';
import { describeHeaderProblem } from '@org/discovery';
import { LIMIT_NAMES, type ScrapeLimits } from '@org/scrape';
import { findSimilarWord, parseByteSize, UsageError } from '@org/terminal';
import {
  createOptionError,
  flag,
  type OptionTable,
  omitUndefined,
  option,
  type RawOptions,
  readList,
  readSeconds,
  readText,
} from '@org/terminal/program';

/** Connection options for scrapes. They apply to all endpoints and take precedence over the configuration file. */
export const CONNECTION_OPTIONS: OptionTable = {
  config: option(
    'FILE',
    'YAML or JSON file with endpoints and their settings and, for profile, a whole run; servelens config init writes an example',
    { hiddenAliases: ['f'] },
  ),
  header: option("'NAME: VALUE'", 'HTTP header to send with each scrape', {
    aliases: ['H'],
    many: 'repeat',
    isSecret: true,
  }),
  'bearer-token-file': option('FILE', 'File with the bearer token for scrapes; read again if it changes'),
  'basic-auth-file': option('FILE', 'File with user:password for scrapes; read again if it changes'),
  'ca-file': option('FILE', 'PEM file with additional CA certificates to trust'),
  'cert-file': option('FILE', 'PEM file with the client certificate'),
  'key-file': option('FILE', 'PEM file with the private key of the client certificate'),
  insecure: flag('Skip TLS certificate verification'),
  timeout: option('SECONDS', 'Scrape timeout in seconds', {
    defaultText: 'AIPERF_SERVER_METRICS_REACHABILITY_TIMEOUT, or 10',
  }),
  limit: option(
    'NAME=N',
    `Limit for each scrape, such as samples=500000; NAME is one of ${Object.values(LIMIT_NAMES).join(', ')}`,
    { many: 'repeat' },
  ),
  compressed: flag('Request compressed metrics pages, for slow networks'),
};

/**
 * Reads the connection options and makes their paths absolute. `headerOption` is the name of the option for
 * headers. Throws `UsageError` if an option is invalid. Its message never contains header values, which may be
 * secrets.
 */
export function readConnection(raw: RawOptions, cwd: string, headerOption = 'header'): AccessSettings {
  const credentials = readCredentials(raw, cwd, {
    header: headerOption,
    bearer: 'bearer-token-file',
    basic: 'basic-auth-file',
  });
  const tls = omitUndefined({
    ...readTlsPaths(raw, cwd),
    insecure: raw.insecure === undefined ? undefined : raw.insecure === true,
  });
  return omitUndefined({
    timeout: readSeconds(raw, 'timeout', 0.001),
    ...credentials,
    tls: Object.keys(tls).length > 0 ? tls : undefined,
    compressed: raw.compressed === undefined ? undefined : raw.compressed === true,
    limits: readLimits(raw.limit),
  }) as AccessSettings;
}

/** Names of options for headers and credentials. */
interface CredentialOptions {
  readonly header: string;
  readonly bearer: string;
  readonly basic: string;
}

/**
 * Reads headers and the paths of files with credentials, which are made absolute. Throws `UsageError` if an option is invalid, or
 * if more than one of them sets the Authorization header.
 */
export function readCredentials(
  raw: RawOptions,
  cwd: string,
  names: CredentialOptions,
): Pick<AccessSettings, 'headers' | 'bearer_token_file' | 'basic_auth_file'> {
  const tokenFile = readPath(raw, names.bearer, cwd);
  const basicFile = readPath(raw, names.basic, cwd);
  if (tokenFile !== undefined && basicFile !== undefined)
    throw new UsageError(`cannot use both --${names.bearer} and --${names.basic}`);
  const headers = readHeaders(raw, names.header);
  const fileOption = tokenFile === undefined ? names.basic : names.bearer;
  if ((tokenFile ?? basicFile) !== undefined && hasAuthorizationHeader(headers))
    throw new UsageError(`cannot use both --${fileOption} and an Authorization header (--${names.header})`);
  return omitUndefined({ headers, bearer_token_file: tokenFile, basic_auth_file: basicFile });
}

/** The paths set by --ca-file, --cert-file and --key-file; undefined if the option is not set. */
export interface TlsPaths {
  readonly ca_file: string | undefined;
  readonly cert_file: string | undefined;
  readonly key_file: string | undefined;
}

/** Reads --ca-file, --cert-file and --key-file as absolute paths. Throws `UsageError` if an option is invalid. */
export function readTlsPaths(raw: RawOptions, cwd: string): TlsPaths {
  const paths = {
    ca_file: readPath(raw, 'ca-file', cwd),
    cert_file: readPath(raw, 'cert-file', cwd),
    key_file: readPath(raw, 'key-file', cwd),
  };
  if ((paths.cert_file === undefined) !== (paths.key_file === undefined)) {
    const [set, missing] = paths.key_file === undefined ? ['cert', 'key'] : ['key', 'cert'];
    throw new UsageError(`--${set}-file requires --${missing}-file`);
  }
  return paths;
}

function readPath(raw: RawOptions, name: string, cwd: string): string | undefined {
  const path = readText(raw, name, 'a file path');
  return path === undefined ? undefined : resolve(cwd, path);
}

/** Formats the option for a key of the configuration file, such as `--ca-file` for `tls.ca_file`. */
export function formatSettingOption(key: readonly string[]): string {
  return `--${key.at(-1)!.replaceAll('_', '-')}`;
}

/** Matches a header such as `Name: value`. The name is a token (https://www.rfc-editor.org/rfc/rfc9110#name-tokens). */
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*:[\t ]*([\t -~\x80-\xff]*)$/;

/**
 * Reads headers as an object. Returns undefined if the option is not set. Throws `UsageError` if a header is
 * invalid. Its message never contains header values, which may be secrets.
 */
export function readHeaders(raw: RawOptions, name = 'header'): Record<string, string> | undefined {
  if (raw[name] === undefined) return undefined;
  const headers = readList(raw, name).flatMap(text =>
    splitHeaders(text, name).map(line => parseHeader(line, name)),
  );
  const lowerNames = headers.map(([header]) => header.toLowerCase());
  const repeated = lowerNames.findIndex((header, index) => lowerNames.indexOf(header) < index);
  if (repeated !== -1)
    throw new UsageError(`--${name} sets ${headers[repeated]![0]} more than once; expected one value`);
  return Object.fromEntries(headers);
}

/** Reports whether headers contain Authorization. */
export function hasAuthorizationHeader(headers: Readonly<Record<string, string>> = {}): boolean {
  return Object.keys(headers).some(name => name.toLowerCase() === 'authorization');
}

/** Splits a JSON object of headers into lines such as `Name: value`. Other text is returned as it is. */
function splitHeaders(text: string, option: string): string[] {
  if (!text.trimStart().startsWith('{')) return [text];
  const headers = parseJson(text);
  const isFlat =
    typeof headers === 'object' &&
    headers !== null &&
    Object.values(headers).every(value => ['string', 'number', 'boolean'].includes(typeof value));
  if (!isFlat)
    throw new UsageError(
      `invalid --${option} ${REDACTED}: expected 'Name: value', or a JSON object of names and values`,
    );
  return Object.entries(headers).map(([header, value]) => `${header}: ${value}`);
}

/** Parses JSON; returns undefined if it is invalid. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parseHeader(text: string, option: string): readonly [string, string] {
  const [, header, value] = HEADER.exec(text) ?? [];
  if (header === undefined)
    throw new UsageError(`invalid --${option} ${redactHeader(text)}: expected 'Name: value' on one line`);
  const problem = describeHeaderProblem(header);
  if (problem !== undefined) throw new UsageError(`--${option} ${problem}`);
  return [header, value!.trimEnd()];
}

/** Formats an invalid header for a message: its name, if one is recognized, and a placeholder for its value. */
function redactHeader(text: string): string {
  const [name = ''] = /^[A-Za-z-]+(?=[\s:=])/.exec(text) ?? [];
  return JSON.stringify(`${name} ${REDACTED}`.trimStart());
}

function readLimits(values: unknown): Partial<ScrapeLimits> | undefined {
  if (!Array.isArray(values)) return undefined;
  const limits = values.map(text => parseLimit(String(text)));
  const fields = limits.map(([field]) => field);
  const repeated = fields.findIndex((field, index) => fields.indexOf(field) < index);
  if (repeated !== -1) throw createOptionError('limit', String(values[repeated]), 'one value of each limit');
  return Object.fromEntries(limits);
}

function parseLimit(text: string): readonly [string, number] {
  const [, nameText = text, amount = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const name = nameText.trim().replaceAll('-', '_');
  const names = Object.values(LIMIT_NAMES);
  const field = Object.entries(LIMIT_NAMES).find(([, limitName]) => limitName === name)?.[0];
  if (field === undefined) {
    const similar = findSimilarWord(name, names);
    const hint = similar === undefined ? '' : `; did you mean ${similar}?`;
    throw createOptionError('limit', text, `NAME=N, with NAME one of ${names.join(', ')}${hint}`);
  }
  const value = parseByteSize(amount);
  if (value >= 1) return [field, value];
  const size = name.endsWith('_bytes') ? ' or a size such as 64MiB' : '';
  throw createOptionError('limit', text, `${name}=N with an integer of at least 1${size}`);
}
