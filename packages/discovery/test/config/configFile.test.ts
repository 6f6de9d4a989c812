import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ConfigFile, readConfigFile } from '../../src/config/configFile.ts';
import { ConfigError } from '../../src/config/configProblem.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'config-'));
  writeFileSync(join(folder, 'token'), 't0ken');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function read(text: string, env: Record<string, string> = {}): ConfigFile {
  writeFileSync(join(folder, 'c.yaml'), text);
  return readConfigFile('c.yaml', { cwd: folder, env });
}

/** Returns the problems of a file, without its name. */
function problemsOf(text: string, env?: Record<string, string>): string[] {
  try {
    read(text, env);
  } catch (error) {
    if (error instanceof ConfigError)
      return error.message.split('\n').map(line => line.replace('c.yaml:', ''));
    throw error;
  }
  return [];
}

test('reads all settings', () => {
  const { config, targets } = read(
    `
defaults: { interval: 1, timeout: 5, compressed: true }
targets:
  - url: node1:8081
    headers: { X-Tenant: blue }
    bearer_token_file: token
    limits: { encoded_bytes: 1.5MiB, decoded_bytes: 2000000, samples: 10, labels: 20, label_name_bytes: 30, label_value_bytes: 4kB }
  - server: https://node2:8000/v1
    basic_auth: { username: me, password: "\${PW}" }
    tls: { insecure: true }
`,
    { PW: 'p: "w' },
  );
  expect(config).toEqual({
    defaults: { interval: 1, timeout: 5, compressed: true },
    targets: [
      {
        url: 'node1:8081',
        headers: { 'X-Tenant': 'blue' },
        bearer_token_file: join(folder, 'token'),
        limits: {
          encodedBytes: 1_572_864,
          decodedBytes: 2_000_000,
          samples: 10,
          labels: 20,
          labelNameBytes: 30,
          labelValueBytes: 4000,
        },
      },
      {
        server: 'https://node2:8000/v1',
        basic_auth: { username: 'me', password: 'p: "w' },
        tls: { insecure: true },
      },
    ],
  });
  expect(targets.map(({ url }) => url)).toEqual([
    'http://node1:8081/metrics',
    'https://node2:8000/v1/metrics',
  ]);
});

test('resolves paths relative to the folder of the file', () => {
  mkdirSync(join(folder, 'deep'));
  writeFileSync(join(folder, 'deep', 'c.yaml'), 'targets: [{ url: "h:1", bearer_token_file: ../token }]');
  const { config } = readConfigFile('deep/c.yaml', { cwd: folder, env: {} });
  expect(config.targets[0]!.bearer_token_file).toBe(join(folder, 'token'));
});

test('supports anchors and aliases', () => {
  const { config } = read(
    'targets:\n  - url: h:1\n    headers: &h { A: "1" }\n  - url: h:2\n    headers: *h\n',
  );
  expect(config.targets.map(({ headers }) => headers)).toEqual([{ A: '1' }, { A: '1' }]);
});

test.each([
  [`a\${A}b`, 'aXb'],
  [`$\${A}`, `\${A}`],
  ['$A $ {A}', '$A $ {A}'],
  [`\${A}\${A}`, 'XX'],
])('expands environment variables in %s', (text, value) => {
  const { config } = read(`defaults: { headers: { H: "${text}" } }`, { A: 'X' });
  expect(config.defaults.headers).toEqual({ H: value });
});

describe('reports problems with position, value and accepted values', () => {
  test.each<[string, string[]]>([
    ['', ['1:1: the file is empty; expected defaults and targets']],
    ['- a', ['1:1: invalid configuration: a list; expected defaults and targets']],
    ['target: []', ['1:1: unknown key "target" (did you mean targets?); expected defaults, targets']],
    [
      'targets:\n  - url: h:1\n    tls: { ca_fil: x }',
      [
        '3:12: unknown key "ca_fil" in targets[0].tls (did you mean ca_file?); expected ca_file, cert_file, key_file, insecure',
      ],
    ],
    [
      'defaults: { timeout: fast }',
      ['1:22: invalid defaults.timeout: "fast"; expected a number of seconds from 0.001 to 300'],
    ],
    [
      'defaults: { timeout: 0 }',
      ['1:22: invalid defaults.timeout: 0; expected a number of seconds from 0.001 to 300'],
    ],
    [
      'defaults: { limits: { samples: 1.5 } }',
      ['1:32: invalid defaults.limits.samples: 1.5; expected an integer of at least 1'],
    ],
    [
      'defaults: { limits: { encoded_bytes: much } }',
      [
        '1:38: invalid defaults.limits.encoded_bytes: "much"; expected a size of at least 1 byte, such as 65536 or 64MiB',
      ],
    ],
    ['targets: [{ timeout: 1 }]', ['1:11: targets[0] is incomplete; expected url or server']],
    [
      'targets: [{ url: "h:1", server: "h:1" }]',
      ['1:11: targets[0] has conflicting settings; expected url or server, not both'],
    ],
    [
      'defaults: { bearer_token: a, basic_auth_file: b }',
      ['1:11: defaults has conflicting settings; expected bearer_token or basic_auth_file, not both'],
    ],
    [
      'defaults: { basic_auth: { password: a } }',
      ['1:25: defaults.basic_auth requires username; expected username, and password or password_file'],
    ],
    [
      'defaults: { tls: { cert_file: a } }',
      ['1:20: defaults.tls.cert_file requires key_file; expected both'],
    ],
    [
      'targets: [{ url: "h:1", headers: { Expect: x } }]',
      [
        '1:36: a header in targets[0].headers is Expect, which is set by the HTTP client; expected a header other than content-length, expect, keep-alive, transfer-encoding, upgrade',
      ],
    ],
    [
      'defaults: { headers: { "a b": c } }',
      ['1:24: invalid key "a b" in defaults.headers; expected a header name'],
    ],
    [
      'defaults: { headers: { "Cookie: SECRET": c } }',
      ['1:24: invalid key "Cookie…" in defaults.headers; expected a header name'],
    ],
    [
      'defaults: { basic_auth: { username: u, password: *a } }',
      ['1:50: alias of an unknown anchor; text that starts with * must be quoted'],
    ],
    [
      'defaults: { headers: { a: 5 } }',
      [
        '1:27: invalid defaults.headers.a: a number; expected a single line of text, in quotes if it looks like a number',
      ],
    ],
    [
      'defaults: { bearer_token: "hunter 2" }',
      [
        '1:27: invalid defaults.bearer_token: text (hidden); expected a token of printable ASCII characters without spaces',
      ],
    ],
    [
      'targets: [{ url: "ftp://me:hunter2@h" }]',
      [
        '1:18: targets[0].url: cannot scrape "ftp://h": unsupported scheme ftp; expected host:port or http(s)://host[:port][/path]',
      ],
    ],
    [
      'targets: [{ url: "h:1" }, { server: "http://h:1" }]',
      [
        '1:37: targets[1].server is http://h:1/metrics, the same endpoint as targets[0]; expected each endpoint once',
      ],
    ],
    [
      'targets: [{ url: "http://me:hunter2@h:1", bearer_token: x }]',
      ['1:18: targets[0].url contains credentials, and the target has others; expected only one'],
    ],
    [
      `defaults: { headers: { a: "\${NOPE}" } }`,
      ['1:27: environment variable NOPE is not set; write $${ for a literal ${'],
    ],
    ['defaults: { timeout: 1, timeout: 2 }', ['1:25: duplicate key']],
    ['defaults: { timeout: 1', ['1:23: invalid indentation, or a missing closing bracket']],
    ['a: b: c', ['1:4: unexpected colon; text that contains ": " must be quoted']],
  ])('%s', (text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
  });

  test('does not show values of environment variables', () => {
    expect(problemsOf(`defaults: { interval: "\${PW}", timeout: x }`, { PW: 's3cret' })).toEqual([
      '1:23: invalid defaults.interval: value of an environment variable; expected a number of seconds from 0.001 to 300',
      '1:41: invalid defaults.timeout: "x"; expected a number of seconds from 0.001 to 300',
    ]);
  });

  test('missing and invalid files', () => {
    const text =
      'defaults: { bearer_token_file: nope }\ntargets:\n  - url: h:1\n  - url: h:2\n    bearer_token_file: token\n    tls: { ca_file: token }\n';
    expect(problemsOf(text)).toEqual([
      `1:32: defaults.bearer_token_file: bearer token file "${join(folder, 'nope')}" cannot be read: no such file`,
      `6:21: targets[1].tls.ca_file: CA file "${join(folder, 'token')}" has no certificate; expected PEM, which begins with -----BEGIN CERTIFICATE-----`,
    ]);
  });

  test('all problems at once, from top to bottom', () => {
    expect(
      problemsOf('x: 1\ndefaults: { timeout: a, intervall: 1 }\ny: 2').map(line => line.split(':')[0]),
    ).toEqual(['1', '2', '2', '3']);
  });

  test('a missing file', () => {
    expect(() => readConfigFile('none.yaml', { cwd: folder, env: {} })).toThrow(
      'cannot read the configuration file "none.yaml": no such file',
    );
  });

  test('keys that all objects inherit', () => {
    expect(problemsOf('__proto__: { a: 1 }\nconstructor: 1')).toHaveLength(2);
    expect(problemsOf('defaults: { limits: { toString: 1 } }')[0]).toMatch(/unknown key "toString"/);
  });

  test('exponentially nested aliases', () => {
    const levels = Array.from(
      { length: 12 },
      (_, i) =>
        `a${i}: &a${i} [${
          i === 0
            ? 'x'
            : Array(10)
                .fill(`*a${i - 1}`)
                .join(', ')
        }]`,
    );
    expect(problemsOf(levels.join('\n'))).toEqual(['1:1: too many aliases of anchors']);
  });
});
