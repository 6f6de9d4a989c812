import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getPemPath, readIdentity } from './support/certificates.ts';
import { respondWith, ScriptedServer } from './support/scriptedServer.ts';

const PACKAGE = resolve(import.meta.dirname, '..');
const isBuilt = existsSync(join(PACKAGE, 'dist/index.js'));
if (!isBuilt) console.log('skipped the README examples: build the package first');

const examples = [...readFileSync(join(PACKAGE, 'README.md'), 'utf8').matchAll(/```js\n(.*?)```/gs)].map(
  ([, code]) => code!,
);

let folder = '';
let server: ScriptedServer;
let tlsServer: ScriptedServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'servelens-readme-'));
  mkdirSync(join(folder, 'node_modules/@org'), { recursive: true });
  for (const name of ['core', 'scrape'])
    symlinkSync(resolve(PACKAGE, '..', name), join(folder, 'node_modules/@org', name), 'dir');
  for (const name of ['ca.pem', 'client.pem', 'client.key'])
    copyFileSync(getPemPath(name), join(folder, name));
  writeFileSync(join(folder, 'token'), 't0ken\n');
  server = await ScriptedServer.start(respondWith('a 1\n'));
  tlsServer = await ScriptedServer.start(respondWith('a 1\n'), {
    tls: { ...readIdentity('server'), ca: readFileSync(getPemPath('ca.pem')), requestCert: true },
  });
});
afterAll(async () => {
  await server.stop();
  await tlsServer.stop();
  rmSync(folder, { recursive: true });
});

test.skipIf(!isBuilt).each<[string, number, RegExp]>([
  ['scraping endpoints', 0, /^(http:\/\/127\.0\.0\.1:\d+\/metrics \d+n 1\n){2,}$/],
  ['authentication and TLS', 1, /^200\n$/],
  ['parsing a body', 2, /^5 0\n$/],
  ['writing and reading a journal', 3, /^run\nendpoint\nseries\nframe\nend\ntrue 1\n$/],
])('the README example of %s prints the documented output', async (_, index, output) => {
  const code = examples[index]!.replace('localhost:8000', `127.0.0.1:${server.port}`)
    .replace('https://localhost:8443/metrics', tlsServer.url())
    .replace('/run/secrets/token', 'token');
  const args = ['--input-type=module', '--eval', code];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder });
  expect(stdout).toMatch(output);
});

test('every example has a test', () => expect(examples).toHaveLength(4));
