import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readConfigFile } from '../../src/config/configFile.ts';
import { folder, listProblems, readConfig, TOKEN_FILE } from '../configFiles.ts';

test('reads all settings', () => {
  const { config, targets } = readConfig(
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
        bearer_token_file: TOKEN_FILE,
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

test('adds labels to targets, but not to their settings', () => {
  const { targets, config } = readConfig(
    'targets: [{ url: "h:1", labels: { pod: a, role: prefill } }, { url: "h:2" }]',
  );
  expect(targets.map(({ labels }) => labels)).toEqual([{ pod: 'a', role: 'prefill' }, undefined]);
  expect(config.targets[0]!.labels).toEqual({ pod: 'a', role: 'prefill' });
});

test('keeps the paths of exact URLs', () => {
  const { targets } = readConfig(
    'targets: [{ url: "h:1/a", exact: true }, { url: "exact:h:1/b" }, { url: "h:1/c", exact: false }]',
  );
  expect(targets.map(({ url }) => url)).toEqual(['http://h:1/a', 'http://h:1/b', 'http://h:1/c/metrics']);
});

test('resolves paths relative to the folder of the configuration file', () => {
  mkdirSync(join(folder, 'deep'));
  writeFileSync(join(folder, 'deep', 'c.yaml'), 'targets: [{ url: "h:1", bearer_token_file: ../token }]');
  const { config } = readConfigFile('deep/c.yaml', { cwd: folder, env: {} });
  expect(config.targets[0]!.bearer_token_file).toBe(TOKEN_FILE);
});

test.each<[string, string[]]>([
  [
    '',
    [
      '1:1: the file is empty; expected a mapping with defaults, targets, sources, discovery and servers, or benchmark',
    ],
  ],
  [
    'targets: [{ url: "h:1", headers: { Expect: x } }]',
    [
      '1:36: a header in targets[0].headers is Expect, which is set by the HTTP client; expected a header other than content-length, expect, keep-alive, transfer-encoding, upgrade',
    ],
  ],
  [
    'targets: [{ url: "ftp://me:hunter2@h" }]',
    [
      '1:18: targets[0].url: cannot scrape "ftp://h": unsupported scheme ftp; expected host:port or http(s)://host[:port][/path]',
    ],
  ],
  [
    'targets: [{ url: "h:1", labels: { "pod name": a, pod: 1 } }]',
    [
      '1:35: invalid key "pod name" in targets[0].labels; expected a name of letters, digits and underscores, such as pod',
      '1:55: invalid targets[0].labels.pod: a number; expected a text',
    ],
  ],
  [
    'targets: [{ server: "h:1", exact: true }]',
    ['1:11: targets[0] has conflicting settings; expected exact only with url'],
  ],
  [
    'targets: [{ url: "h:1" }, { server: "http://h:1" }]',
    [
      '1:37: targets[1].server is http://h:1/metrics, the same endpoint as targets[0]; expected each endpoint once',
    ],
  ],
  [
    'targets: [{ url: "http://me:hunter2@h:1", bearer_token: x }]',
    [
      '1:18: targets[0].url contains credentials, and other credentials are set for this target; expected only one',
    ],
  ],
])('reports the problems of %j', (text, problems) => {
  expect(listProblems(text)).toEqual(problems);
});

test('reports missing and invalid credential files', () => {
  const text =
    'defaults: { bearer_token_file: nope }\ntargets:\n  - url: h:1\n  - url: h:2\n    bearer_token_file: token\n    tls: { ca_file: token }\n';
  expect(listProblems(text)).toEqual([
    `1:32: invalid defaults.bearer_token_file "${join(folder, 'nope')}": no such file or folder`,
    `6:21: invalid targets[1].tls.ca_file "${TOKEN_FILE}": contains no certificate; expected PEM, which begins with -----BEGIN CERTIFICATE-----`,
  ]);
});

test('reports all problems at once, sorted by line', () => {
  expect(
    listProblems('x: 1\ndefaults: { timeout: a, intervall: 1 }\ny: 2').map(line => line.split(':')[0]),
  ).toEqual(['1', '2', '2', '3']);
});

test('rejects a missing configuration file', () => {
  expect(() => readConfigFile('none.yaml', { cwd: folder, env: {} })).toThrow(
    'cannot read the configuration file "none.yaml": no such file or folder',
  );
});

test('reads sources and the settings of discovery, with absolute paths', () => {
  const { config } = readConfig(`
sources:
  - source: file_sd:targets/*.json
    bearer_token_file: token
  - source: http_sd:http://sd/x
discovery: { mode: kubernetes, label_selector: app=vllm, namespace: "*", timeout_seconds: 5, kubeconfig: kube }
`);
  expect(config.sources).toEqual([
    { source: `file_sd:${join(folder, 'targets/*.json')}`, bearer_token_file: TOKEN_FILE },
    { source: 'http_sd:http://sd/x' },
  ]);
  expect(config.discovery).toEqual({
    mode: 'kubernetes',
    label_selector: 'app=vllm',
    namespace: '*',
    timeout_seconds: 5,
    kubeconfig: join(folder, 'kube'),
  });
});

test.each<[string, string]>([
  [
    'sources: [{ source: "http_sd:http://me:hunter2@h x" }]',
    '1:21: sources[0].source: invalid source "http_sd:http://h x": not a valid URL or name; expected file_sd:FILE, http_sd:URL, dns:NAME:PORT, srv:NAME or prometheus:URL',
  ],
  [
    'sources: [{ timeout: 1 }]',
    '1:11: sources[0] requires source; expected source, and settings such as timeout and headers',
  ],
  [
    'sources: [{ source: "file_sd:a", bearer_token_file: none }]',
    `1:53: invalid sources[0].bearer_token_file "${folder}/none": no such file`,
  ],
  ['discovery: { mode: on }', '1:20: invalid discovery.mode: "on"; expected auto, kubernetes or disabled'],
  [
    'discovery: { namespace: A }',
    '1:25: invalid discovery.namespace: "A"; expected the name of a namespace, or *',
  ],
  ['discovery: { selector: a }', '1:14: unknown key "selector" in discovery'],
])('rejects %s', (text, problem) => {
  expect(listProblems(text)).toEqual([expect.stringContaining(problem)]);
});
