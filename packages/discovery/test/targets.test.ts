import { createBasicAuthorization, type Target } from '@org/scrape';
import { UsageError } from '@org/terminal';
import { expect, test } from 'vitest';
import type { AccessSettings } from '../src/accessSettings.ts';
import { resolveTargets, type TargetSources } from '../src/targets.ts';
import { readConfig, TOKEN_FILE } from './configFiles.ts';

const FILE = `
defaults: { bearer_token: of-defaults, headers: { X-A: a } }
targets:
  - url: http://bob:of-entry@a:1
    timeout: 3
  - url: b:1
    basic_auth: { username: al, password: of-b }
  - url: c:1
    headers: { authorization: Bearer of-header }
  - url: d:1
`;

/** Resolves endpoints on the command line together with the targets in `FILE`. */
function resolveWithFile(endpoints: readonly string[], options: AccessSettings = {}): Target[] {
  return resolve({ endpoints, options, file: readConfig(FILE) });
}

function resolve(sources: Partial<TargetSources>): Target[] {
  const nameOption: TargetSources['nameOption'] = key => `--${key.at(-1)!.replaceAll('_', '-')}`;
  return resolveTargets({ nameOption, servers: [], endpoints: [], options: {}, ...sources });
}

/** Returns the Authorization header that is sent to the only endpoint at `host`, or `none`. */
async function readAuthorization(
  host: string,
  endpoints: readonly string[],
  options: AccessSettings,
): Promise<string> {
  const targets = resolveWithFile(endpoints, options).filter(({ url }) => url.startsWith(`http://${host}:`));
  expect(targets).toHaveLength(1);
  const { credentials, access } = targets[0]!;
  if (credentials) return await createBasicAuthorization(credentials.user, credentials.password).readHeader();
  const headers = Object.entries(access?.headers ?? {});
  const [, header] = headers.find(([name]) => name.toLowerCase() === 'authorization') ?? [];
  return (await access?.authorization?.readHeader()) ?? header ?? 'none';
}

const encodeBasic = (login: string): string => `Basic ${Buffer.from(login).toString('base64')}`;
const HEADER: AccessSettings = { headers: { Authorization: 'Bearer of-option' } };

test.each<[string, string, string[], AccessSettings, string]>([
  ['credentials in the URL of a target', 'a', [], {}, encodeBasic('bob:of-entry')],
  [
    'credentials in the URL of a target that is also on the command line',
    'a',
    ['a:1'],
    {},
    encodeBasic('bob:of-entry'),
  ],
  [
    'credentials in the URL on the command line over credentials of the target',
    'a',
    ['http://me:mine@a:1'],
    {},
    encodeBasic('me:mine'),
  ],
  [
    'a token file over credentials in the URL of a target',
    'a',
    ['a:1'],
    { bearer_token_file: TOKEN_FILE },
    'Bearer t0ken',
  ],
  ['a header on the command line over credentials of a target', 'b', [], HEADER, 'Bearer of-option'],
  [
    'a header on the command line over credentials in the URL of a target',
    'a',
    ['a:1'],
    HEADER,
    'Bearer of-option',
  ],
  ['a header of a target over the token of the defaults', 'c', [], {}, 'Bearer of-header'],
  ['the defaults for targets without credentials', 'd', [], {}, 'Bearer of-defaults'],
  ['the defaults for endpoints on the command line', 'e', ['e:1'], {}, 'Bearer of-defaults'],
])('uses %s', async (_, host, endpoints, options, expected) => {
  expect(await readAuthorization(host, endpoints, options)).toBe(expected);
});

test('an endpoint on the command line uses the settings of its target in the file', () => {
  const [first, ...others] = resolveWithFile(['a:1']);
  expect(first).toMatchObject({
    url: 'http://a:1/metrics',
    access: { timeoutMs: 3000, headers: { 'X-A': 'a' } },
  });
  expect(others.map(({ url }) => url)).toEqual(['b', 'c', 'd'].map(host => `http://${host}:1/metrics`));
});

test('lists servers before endpoints, without duplicates', () => {
  const targets = resolve({ servers: ['localhost:8000'], endpoints: ['h:9400', 'localhost:8000/metrics'] });
  expect(targets.map(({ url, access }) => [url, access])).toEqual([
    ['http://localhost:8000/metrics', undefined],
    ['http://h:9400/metrics', undefined],
  ]);
});

test('rejects a URL of more than 8192 characters, and shows neither all of it nor its password', () => {
  expect(() => resolve({ endpoints: [`http://h/${'a'.repeat(1e5)}`] })).toThrow(
    /^cannot scrape "http:\/\/h\/a{191}…": 100009 characters; the maximum is 8192; expected host:port/,
  );
  expect(() => resolve({ endpoints: [`http://me:${'p'.repeat(1e5)}@h`] })).toThrow(
    /^cannot scrape "[^p]*p[^p]*": /,
  );
});

test.each<[Partial<TargetSources>, RegExp]>([
  [{ endpoints: ['ftp://h'] }, /cannot scrape "ftp:\/\/h": unsupported scheme ftp/],
  [
    { options: { bearer_token_file: '/none' } },
    /^invalid --bearer-token-file "\/none": no such file or folder/,
  ],
])('rejects %j', (sources, message) => {
  expect(() => resolve(sources)).toThrow(UsageError);
  expect(() => resolve(sources)).toThrow(message);
});
