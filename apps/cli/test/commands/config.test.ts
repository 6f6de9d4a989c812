import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { main } from '../../src/main.ts';
import { testIo } from '../io.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'check-'));
  writeFileSync(join(folder, 'token'), 't0ken');
  writeFileSync(join(folder, 'good.yaml'), GOOD);
  writeFileSync(join(folder, 'bad.yaml'), 'defaults: { timeout: 1000, intervall: 1 }\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const GOOD = `
defaults: { timeout: 5 }
targets:
  - url: https://node1:8443
    bearer_token_file: token
    headers: { X-Tenant: hunter2 }
    tls: { insecure: true }
  - server: http://me:hunter3@node2:8000/v1
    limits: { samples: 50000 }
  - url: node3:9400/metrics?api_key=hunter4
    interval: 1
    compressed: true
    basic_auth: { username: you, password: hunter5 }
`;

async function check(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const io = testIo(folder);
  const code = await main(['config', ...args], io);
  return { code, out: io.out.join(''), err: io.err.join('') };
}

test('shows the settings of each endpoint without secrets', async () => {
  const { code, out } = await check('check', 'good.yaml');
  expect(code).toBe(0);
  expect(out).toBe(`good.yaml is valid: 3 endpoints

https://node1:8443/metrics
  interval       0.333 s
  timeout        5 s
  header         X-Tenant: <hidden>
  authorization  bearer, token from ${join(folder, 'token')}
  tls            certificate verification skipped

http://node2:8000/v1/metrics
  interval       0.333 s
  timeout        5 s
  authorization  basic, user "me", password <hidden>, from the URL
  tls            none
  limit          samples 50000

http://node3:9400/metrics?api_key=REDACTED
  interval       1 s
  timeout        5 s
  authorization  basic, user "you", password <hidden>
  tls            none
  compressed     yes
`);
});

test('shows all problems and exits with 1', async () => {
  const { code, out } = await check('check', 'bad.yaml');
  expect(code).toBe(1);
  expect(out).toContain(
    'bad.yaml:1:22: invalid defaults.timeout: 1000; expected a number of seconds from 0.001 to 300\n',
  );
  expect(out).toContain('did you mean interval?');
  expect(out.endsWith('bad.yaml: 2 problems\n')).toBe(true);
});

test.each([
  [['check', 'none.yaml'], /cannot read the configuration file "none.yaml": no such file/],
  [['check'], /missing FILE; expected servelens config check/],
  [[], /missing command; expected servelens config COMMAND/],
])('rejects %j and exits with 2', async (args, message) => {
  const { code, err } = await check(...args);
  expect(code).toBe(2);
  expect(err).toMatch(message);
});
