import { resolve } from 'node:path';
import { LIMIT_NAMES, type ScrapeLimits } from '@org/scrape';
import { findSimilarWord, UsageError } from '@org/terminal';
import type { Options } from 'yargs';
import { headerProblem } from '../config/header.ts';
import type { AccessSettings } from '../config/settings.ts';
import { type RawOptions, secondsValue, textValue } from '../optionvalue.ts';
import { sizeOf } from '../size.ts';

const GROUP = 'How to reach endpoints:';

const FILE = { group: GROUP, string: true, requiresArg: true } as const;

/** The options that say how endpoints are spoken to, for yargs. They hold for all endpoints and win over the file. */
export const ACCESS_OPTIONS: Readonly<Record<string, Options>> = {
  config: { ...FILE, describe: 'YAML file with endpoints and how to reach each; see servelens config' },
  header: {
    group: GROUP,
    alias: 'H',
    array: true,
    nargs: 1,
    string: true,
    describe: "'Name: value' to send; may be given several times",
    requiresArg: true,
  },
  'bearer-token-file': { ...FILE, describe: 'Token to send; read again when it changes' },
  'basic-auth-file': { ...FILE, describe: 'user:password to send; read again when it changes' },
  'ca-file': { ...FILE, describe: 'PEM certificates of issuers to trust beside the usual ones' },
  'cert-file': { ...FILE, describe: 'Our own certificate, PEM' },
  'key-file': { ...FILE, describe: 'The key of our own certificate, PEM' },
  insecure: { group: GROUP, boolean: true, describe: 'Believe any server in TLS' },
  timeout: {
    group: GROUP,
    describe: 'Seconds for a whole answer [default: that of the environment]',
    requiresArg: true,
  },
  limit: {
    group: GROUP,
    array: true,
    nargs: 1,
    string: true,
    describe: `NAME=N, the most that one body may have: ${Object.values(LIMIT_NAMES).join(', ')}`,
    requiresArg: true,
  },
  compressed: { group: GROUP, boolean: true, describe: 'Ask for compressed bodies: for a slow network' },
};

/** What these options say, with absolute paths. Throws `UsageError`; values of headers are never in its message. */
export function readAccess(raw: RawOptions, cwd: string): AccessSettings {
  const path = (name: string): string | undefined => {
    const value = textValue(raw, name, 'the path of a file');
    return value === undefined ? undefined : resolve(cwd, value);
  };
  const files = {
    bearer_token_file: path('bearer-token-file'),
    basic_auth_file: path('basic-auth-file'),
  };
  if (files.bearer_token_file !== undefined && files.basic_auth_file !== undefined)
    throw new UsageError('cannot use both --bearer-token-file and --basic-auth-file');
  const tls = {
    ca_file: path('ca-file'),
    cert_file: path('cert-file'),
    key_file: path('key-file'),
    insecure: raw.insecure === undefined ? undefined : raw.insecure === true,
  };
  if ((tls.cert_file === undefined) !== (tls.key_file === undefined)) {
    const [there, missing] = tls.key_file === undefined ? ['cert', 'key'] : ['key', 'cert'];
    throw new UsageError(`--${there}-file is given without --${missing}-file; expected both`);
  }
  const headers = headersOf(raw.header);
  const limits = limitsOf(raw.limit);
  const timeout = secondsValue(raw, 'timeout', 0.001);
  return defined({
    timeout,
    headers,
    ...files,
    tls: Object.values(tls).some(one => one !== undefined) ? defined(tls) : undefined,
    compressed: raw.compressed === undefined ? undefined : raw.compressed === true,
    limits,
  }) as AccessSettings;
}

/** The option behind a setting, for messages. */
export function optionOf(key: readonly string[]): string {
  return `--${key.at(-1)!.replaceAll('_', '-')}`;
}

/** https://www.rfc-editor.org/rfc/rfc9110#name-tokens */
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*:[\t ]*([\t -~\x80-\xff]*)$/;

const NO_HEADER = "is no header; expected 'Name: value' in one line";

function headersOf(given: unknown): Record<string, string> | undefined {
  if (!Array.isArray(given)) return undefined;
  const parsed = given.map((text, index) => {
    const [, name, value] = HEADER.exec(String(text)) ?? [];
    // What stands there may be a secret.
    const problem = name === undefined ? NO_HEADER : headerProblem(name);
    if (problem !== undefined) throw new UsageError(`--header number ${index + 1} ${problem}`);
    return [name!, value!.trimEnd()] as const;
  });
  return Object.fromEntries(parsed);
}

function limitsOf(given: unknown): Partial<ScrapeLimits> | undefined {
  if (!Array.isArray(given)) return undefined;
  return Object.fromEntries(given.map(text => limitOf(String(text))));
}

function limitOf(text: string): readonly [string, number] {
  const [, written = text, amount = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const name = written.trim().replaceAll('-', '_');
  const names = Object.values(LIMIT_NAMES);
  const field = Object.entries(LIMIT_NAMES).find(([, known]) => known === name)?.[0];
  if (field === undefined) {
    const like = findSimilarWord(name, names);
    const question = like === undefined ? '' : `, did you mean ${like}`;
    throw new UsageError(
      `--limit is ${JSON.stringify(text)}${question}; expected NAME=N, with NAME of ${names.join(', ')}`,
    );
  }
  const value = sizeOf(amount);
  if (value >= 1) return [field, value];
  const size = name.endsWith('_bytes') ? ' or a size such as 64MiB' : '';
  throw new UsageError(
    `--limit is ${JSON.stringify(text)}; expected ${name}=N with a whole number from 1${size}`,
  );
}

function defined<T extends object>(object: T): Partial<T> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Partial<T>;
}
