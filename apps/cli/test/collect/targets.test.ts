import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBasicAuthorization } from '@org/scrape';
import { afterAll, expect, test } from 'vitest';
import { targetsOf } from '../../src/collect/targets.ts';
import { readConfig } from '../../src/config/configfile.ts';
import type { AccessSettings } from '../../src/config/settings.ts';

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

/** Who the endpoint at `host` is told we are, by what would stand in the header. */
async function whoWeAre(host: string, named: readonly string[], options: AccessSettings): Promise<string> {
  const path = join(folder, 'c.yaml');
  writeFileSync(path, FILE);
  const file = readConfig(path, { cwd: folder, env: {} });
  const targets = targetsOf({ bases: [], named, file, options });
  const [target, ...twins] = targets.filter(({ url }) => url.startsWith(`http://${host}:`));
  expect(twins).toEqual([]);
  const { credentials, access } = target!;
  const headers = Object.entries(access?.headers ?? {});
  if (credentials) return await createBasicAuthorization(credentials.user, credentials.password).value();
  const [, said] = headers.find(([name]) => name.toLowerCase() === 'authorization') ?? [];
  return (await access?.authorization?.value()) ?? said ?? 'nobody';
}

const basic = (login: string): string => `Basic ${Buffer.from(login).toString('base64')}`;
const HEADER: AccessSettings = { headers: { Authorization: 'Bearer of-option' } };

test.each<[string, string, string[], AccessSettings, string]>([
  ['the user in the URL of an entry', 'a', [], {}, basic('bob:of-entry')],
  ['of an entry that the command line names, too', 'a', ['a:1'], {}, basic('bob:of-entry')],
  ['unless that has a user of its own', 'a', ['http://me:mine@a:1'], {}, basic('me:mine')],
  ['unless a file is named', 'a', ['a:1'], { bearer_token_file: token }, 'Bearer of-a-file'],
  ['a header as option takes the place of an entry', 'b', [], HEADER, 'Bearer of-option'],
  ['and of the user in its URL', 'a', ['a:1'], HEADER, 'Bearer of-option'],
  ['a header of an entry takes that of the defaults', 'c', [], {}, 'Bearer of-header'],
  ['the defaults hold for all others', 'd', [], {}, 'Bearer of-defaults'],
  ['and for the endpoints of the command line', 'e', ['e:1'], {}, 'Bearer of-defaults'],
])('who we are: %s', async (_, host, named, options, said) => {
  expect(await whoWeAre(host, named, options)).toBe(said);
});

test('an endpoint that both name has the settings of its entry', () => {
  const path = join(folder, 'c.yaml');
  writeFileSync(path, FILE);
  const file = readConfig(path, { cwd: folder, env: {} });
  const [first, ...others] = targetsOf({ bases: [], named: ['a:1'], file, options: {} });
  expect(first).toMatchObject({
    url: 'http://a:1/metrics',
    access: { timeoutMs: 3000, headers: { 'X-A': 'a' } },
  });
  expect(others.map(({ url }) => url)).toEqual(['b', 'c', 'd'].map(host => `http://${host}:1/metrics`));
});
