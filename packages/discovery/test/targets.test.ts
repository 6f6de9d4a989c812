import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBasicAuthorization } from '@org/scrape';
import { afterAll, expect, test } from 'vitest';
import type { AccessSettings } from '../src/accessSettings.ts';
import { readConfigFile } from '../src/config/configFile.ts';
import { resolveTargets } from '../src/targets.ts';

const folder = mkdtempSync(join(tmpdir(), 'targets-'));
afterAll(() => rmSync(folder, { recursive: true }));
const token = join(folder, 'token');
writeFileSync(token, 'of-a-file');

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

/** Returns the Authorization header that is sent to the endpoint at `host`; `none` if there is none. */
async function authorizationFor(
  host: string,
  named: readonly string[],
  options: AccessSettings,
): Promise<string> {
  const path = join(folder, 'c.yaml');
  writeFileSync(path, FILE);
  const file = readConfigFile(path, { cwd: folder, env: {} });
  const targets = resolveTargets({
    nameOption: key => `--${key.at(-1)!.replaceAll('_', '-')}`,
    servers: [],
    endpoints: named,
    file,
    options,
  });
  const [target, ...twins] = targets.filter(({ url }) => url.startsWith(`http://${host}:`));
  expect(twins).toEqual([]);
  const { credentials, access } = target!;
  const headers = Object.entries(access?.headers ?? {});
  if (credentials) return await createBasicAuthorization(credentials.user, credentials.password).value();
  const [, said] = headers.find(([name]) => name.toLowerCase() === 'authorization') ?? [];
  return (await access?.authorization?.value()) ?? said ?? 'none';
}

const basic = (login: string): string => `Basic ${Buffer.from(login).toString('base64')}`;
const HEADER: AccessSettings = { headers: { Authorization: 'Bearer of-option' } };

test.each<[string, string, string[], AccessSettings, string]>([
  ['credentials in the URL of a target', 'a', [], {}, basic('bob:of-entry')],
  [
    'credentials in the URL of a target that the command line names as well',
    'a',
    ['a:1'],
    {},
    basic('bob:of-entry'),
  ],
  [
    'credentials in the URL on the command line over those of the target',
    'a',
    ['http://me:mine@a:1'],
    {},
    basic('me:mine'),
  ],
  [
    'a token file over credentials in the URL of a target',
    'a',
    ['a:1'],
    { bearer_token_file: token },
    'Bearer of-a-file',
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
  ['the defaults for other targets', 'd', [], {}, 'Bearer of-defaults'],
  ['the defaults for endpoints of the command line', 'e', ['e:1'], {}, 'Bearer of-defaults'],
])('uses %s', async (_, host, named, options, said) => {
  expect(await authorizationFor(host, named, options)).toBe(said);
});

test('an endpoint of the command line has the settings of its target in the file', () => {
  const path = join(folder, 'c.yaml');
  writeFileSync(path, FILE);
  const file = readConfigFile(path, { cwd: folder, env: {} });
  const [first, ...others] = resolveTargets({
    nameOption: key => `--${key.at(-1)!.replaceAll('_', '-')}`,
    servers: [],
    endpoints: ['a:1'],
    file,
    options: {},
  });
  expect(first).toMatchObject({
    url: 'http://a:1/metrics',
    access: { timeoutMs: 3000, headers: { 'X-A': 'a' } },
  });
  expect(others.map(({ url }) => url)).toEqual(['b', 'c', 'd'].map(host => `http://${host}:1/metrics`));
});
