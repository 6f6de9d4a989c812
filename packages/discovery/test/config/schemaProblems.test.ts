import { formatPath } from '@org/terminal/userFile';
import { expect, test } from 'vitest';
import { listProblems } from '../configFiles.ts';

test.each<[string, string[]]>([
  [
    '- a',
    [
      '1:1: invalid configuration: a list; expected a mapping with defaults, targets, sources, discovery and servers',
    ],
  ],
  [
    'target: []',
    [
      '1:1: unknown key "target" (did you mean targets?); expected defaults, targets, sources, discovery, servers',
    ],
  ],
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
  ['defaults: { tls: { cert_file: a } }', ['1:20: defaults.tls.cert_file requires key_file; expected both']],
  [
    'defaults: { headers: { "a b": c } }',
    ['1:24: invalid key "a b" in defaults.headers; expected a header name'],
  ],
  [
    'defaults: { headers: { "Cookie: SECRET": c } }',
    ['1:24: invalid key "Cookie…" in defaults.headers; expected a header name'],
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
])('reports the problems of %j', (text, problems) => {
  expect(listProblems(text)).toEqual(problems);
});

test('does not show values of environment variables', () => {
  expect(listProblems(`defaults: { interval: "\${PW}", timeout: x }`, { PW: 's3cret' })).toEqual([
    '1:23: invalid defaults.interval: value from an environment variable (hidden); expected a number of seconds from 0.001 to 300',
    '1:41: invalid defaults.timeout: "x"; expected a number of seconds from 0.001 to 300',
  ]);
});

test('rejects keys that are named like inherited properties of objects', () => {
  expect(listProblems('__proto__: { a: 1 }\nconstructor: 1')).toHaveLength(2);
  expect(listProblems('defaults: { limits: { toString: 1 } }')[0]).toMatch(/unknown key "toString"/);
});

test.each([
  [[], 'the file'],
  [['defaults', 'timeout'], 'defaults.timeout'],
  [['targets', 0, 'tls', 'ca_file'], 'targets[0].tls.ca_file'],
])('formats the path %j as %s', (path, expected) => {
  expect(formatPath(path)).toBe(expected);
});
