import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type ConfigFile, readConfig } from '../../src/config/configfile.ts';
import { ConfigError } from '../../src/config/problem.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'config-'));
  writeFileSync(join(folder, 'token'), 't0ken');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function read(text: string, env: Record<string, string> = {}): ConfigFile {
  writeFileSync(join(folder, 'c.yaml'), text);
  return readConfig('c.yaml', { cwd: folder, env });
}

/** The lines that are told of a wrong file, without its name. */
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

test('everything that can be said', () => {
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

test('paths are relative to the folder of the file', () => {
  mkdirSync(join(folder, 'deep'));
  writeFileSync(join(folder, 'deep', 'c.yaml'), 'targets: [{ url: "h:1", bearer_token_file: ../token }]');
  const { config } = readConfig('deep/c.yaml', { cwd: folder, env: {} });
  expect(config.targets[0]!.bearer_token_file).toBe(join(folder, 'token'));
});

test('anchors and aliases are one thing said twice', () => {
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
])('variables of the environment: %s', (text, value) => {
  const { config } = read(`defaults: { headers: { H: "${text}" } }`, { A: 'X' });
  expect(config.defaults.headers).toEqual({ H: value });
});

describe('what is wrong is told with its place, its value and what would be accepted', () => {
  test.each<[string, string[]]>([
    ['', ['1:1: the file says nothing; expected defaults and targets']],
    ['- a', ['1:1: the file is a list; expected defaults and targets']],
    ['target: []', ['1:1: "target" is not known; did you mean targets? Expected defaults, targets']],
    [
      'targets:\n  - url: h:1\n    tls: { ca_fil: x }',
      [
        '3:12: "ca_fil" is not known in targets[0].tls; did you mean ca_file? Expected ca_file, cert_file, key_file, insecure',
      ],
    ],
    [
      'defaults: { timeout: fast }',
      ['1:22: defaults.timeout is "fast"; expected a number of seconds from 0.001 to 300'],
    ],
    [
      'defaults: { timeout: 0 }',
      ['1:22: defaults.timeout is 0; expected a number of seconds from 0.001 to 300'],
    ],
    [
      'defaults: { limits: { samples: 1.5 } }',
      ['1:32: defaults.limits.samples is 1.5; expected an integer of at least 1'],
    ],
    [
      'defaults: { limits: { encoded_bytes: much } }',
      [
        '1:38: defaults.limits.encoded_bytes is "much"; expected a size of at least 1 byte, such as 65536 or 64MiB',
      ],
    ],
    ['targets: [{ timeout: 1 }]', ['1:11: targets[0] has too little; expected url or server']],
    [
      'targets: [{ url: "h:1", server: "h:1" }]',
      ['1:11: targets[0] has two of what can be one; expected url or server, not both'],
    ],
    [
      'defaults: { bearer_token: a, basic_auth_file: b }',
      ['1:11: defaults has two of what can be one; expected bearer_token or basic_auth_file, not both'],
    ],
    [
      'defaults: { basic_auth: { password: a } }',
      ['1:25: defaults.basic_auth lacks username; expected username, and password or password_file'],
    ],
    [
      'defaults: { tls: { cert_file: a } }',
      ['1:20: defaults.tls has cert_file without key_file; expected both'],
    ],
    [
      'targets: [{ url: "h:1", headers: { Expect: x } }]',
      [
        '1:36: a name in targets[0].headers is Expect, which the connection has to say; expected none of content-length, expect, keep-alive, transfer-encoding, upgrade',
      ],
    ],
    ['defaults: { headers: { "a b": c } }', ['1:24: "a b" in defaults.headers is not a header name']],
    [
      'defaults: { headers: { "Cookie: SECRET": c } }',
      ['1:24: "Cookie…" in defaults.headers is not a header name'],
    ],
    [
      'defaults: { basic_auth: { username: u, password: *a } }',
      ['1:50: begins with * but is no alias of an anchor; such a text must stand in quotes'],
    ],
    [
      'defaults: { headers: { a: 5 } }',
      [
        '1:27: defaults.headers.a is a number; expected a single line of text, in quotes if it looks like a number',
      ],
    ],
    [
      'defaults: { bearer_token: "hunter 2" }',
      [
        '1:27: defaults.bearer_token is a text that is not accepted; expected a token of printable ASCII characters without spaces',
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
      ['1:37: targets[1].server is http://h:1/metrics, as targets[0] is; expected each endpoint once'],
    ],
    [
      'targets: [{ url: "http://me:hunter2@h:1", bearer_token: x }]',
      ['1:18: targets[0].url has a user of its own beside other credentials; expected one of them'],
    ],
    [
      `defaults: { headers: { a: "\${NOPE}" } }`,
      ['1:27: the environment has no variable NOPE; expected one, or $${ for the characters themselves'],
    ],
    ['defaults: { timeout: 1, timeout: 2 }', ['1:25: has this key twice']],
    [
      'defaults: { timeout: 1',
      ['1:23: is indented in a way that YAML does not know, or lacks a closing bracket'],
    ],
    ['a: b: c', ['1:4: has a colon too many, or a text that must stand in quotes']],
  ])('%s', (text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
  });

  test('what the environment holds is not shown, whatever it is taken for', () => {
    expect(problemsOf(`defaults: { interval: "\${PW}", timeout: x }`, { PW: 's3cret' })).toEqual([
      '1:23: defaults.interval is a text from the environment; expected a number of seconds from 0.001 to 300',
      '1:41: defaults.timeout is "x"; expected a number of seconds from 0.001 to 300',
    ]);
  });

  test('files that it names', () => {
    const text =
      'defaults: { bearer_token_file: nope }\ntargets:\n  - url: h:1\n  - url: h:2\n    bearer_token_file: token\n    tls: { ca_file: token }\n';
    expect(problemsOf(text)).toEqual([
      `1:32: defaults.bearer_token_file: bearer token file "${join(folder, 'nope')}" cannot be read: no such file`,
      `6:21: targets[1].tls.ca_file: CA file "${join(folder, 'token')}" has no certificate; expected PEM, which begins with -----BEGIN CERTIFICATE-----`,
    ]);
  });

  test('all of it at once, from top to bottom', () => {
    expect(
      problemsOf('x: 1\ndefaults: { timeout: a, intervall: 1 }\ny: 2').map(line => line.split(':')[0]),
    ).toEqual(['1', '2', '2', '3']);
  });

  test('a file that is not there', () => {
    expect(() => readConfig('none.yaml', { cwd: folder, env: {} })).toThrow(
      'cannot read the configuration file "none.yaml": no such file',
    );
  });

  test('keys that objects have by themselves', () => {
    expect(problemsOf('__proto__: { a: 1 }\nconstructor: 1')).toHaveLength(2);
    expect(problemsOf('defaults: { limits: { toString: 1 } }')[0]).toMatch(/"toString" is not known/);
  });

  test('a bomb of aliases', () => {
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
    expect(problemsOf(levels.join('\n'))).toEqual(['1:1: refers to itself too often by anchors and aliases']);
  });
});
