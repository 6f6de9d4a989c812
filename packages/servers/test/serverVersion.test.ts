import { expect, test } from 'vitest';
import { builtInServers } from '../src/builtInServers.ts';
import { toDefinition } from '../src/definitionFile.ts';
import type { Labels } from '../src/seriesOverlap.ts';
import { describeVersionGap } from '../src/serverVersion.ts';

const mine = toDefinition({
  name: 'Mine',
  recognize: {
    prefixes: ['mine_'],
    build_info: [
      { metric: 'app_build_info', version: 'version', labels: ['app'] },
      { metric: 'mine_info', version: 'tag' },
    ],
  },
});

type Pages = Readonly<Record<string, readonly Labels[]>>;

test.each<[string, Pages, object[]]>([
  [
    'the label of a build',
    { istio_build: [{ component: 'proxy', tag: '1.24.0' }] },
    [{ server: 'Istio', version: '1.24.0' }],
  ],
  [
    'the newest name of a metric',
    {
      llm_d_epp_info: [{ commit: 'abc', build_ref: 'v0.9.0' }],
      inference_extension_info: [{ commit: 'abc', build_ref: 'v0.8.0' }],
    },
    [{ server: 'llm-d EPP', version: 'v0.9.0' }],
  ],
  [
    'an older name of a metric',
    { inference_extension_info: [{ commit: 'abc', build_ref: 'v1.0.1' }] },
    [{ server: 'llm-d EPP', version: 'v1.0.1' }],
  ],
  [
    'a name that KServe gave',
    { kserve_llm_d_epp_info: [{ commit: 'abc', build_ref: 'main' }] },
    [{ server: 'llm-d EPP', version: 'main' }],
  ],
  [
    'the version of a client of Mooncake',
    { mooncake_build_info: [{ version: '0.3.14', display_version: '0.3.14+g1' }] },
    [{ server: 'Mooncake', version: '0.3.14' }],
  ],
  [
    'the same version of several series',
    {
      istio_build: [
        { component: 'a', tag: '1.2.0' },
        { component: 'b', tag: '1.2.0' },
      ],
    },
    [{ server: 'Istio', version: '1.2.0' }],
  ],
  [
    'no version if series state several',
    {
      istio_build: [
        { component: 'a', tag: '1.2.0' },
        { component: 'b', tag: '1.3.0' },
      ],
    },
    [],
  ],
  ['no version without the other labels', { istio_build: [{ tag: '1.2.0' }] }, []],
  ['no version from an empty label', { llm_d_epp_info: [{ commit: '', build_ref: '' }] }, []],
  ['no version from a placeholder', { llm_d_epp_info: [{ commit: 'x', build_ref: 'Unknown' }] }, []],
  ['no version from a very long text', { llm_d_epp_info: [{ commit: 'x', build_ref: 'v'.repeat(81) }] }, []],
  ['no version from the number of a commit', { envoy_server_version: [{}] }, []],
  [
    'a metric that others have, too',
    { app_build_info: [{ app: 'mine', version: '2.0' }] },
    [{ server: 'Mine', version: '2.0' }],
  ],
  [
    'a second metric where the first is not of the server',
    { app_build_info: [{ version: '9.9' }], mine_info: [{ tag: '2.1' }] },
    [{ server: 'Mine', version: '2.1' }],
  ],
])('reads %s', (_, pages, versions) => {
  expect(builtInServers.with([mine]).readVersions(name => pages[name] ?? [])).toEqual(versions);
});

test('the name of a field of objects is not a label', () => {
  const odd = toDefinition({
    name: 'Odd',
    recognize: { prefixes: ['odd_'], build_info: [{ metric: 'odd_info', version: 'constructor' }] },
  });
  expect(builtInServers.with([odd]).readVersions(name => (name === 'odd_info' ? [{}] : []))).toEqual([]);
});

test.each<[string, string[], boolean]>([
  ['app_build_info', ['app', 'version'], true],
  ['app_build_info', ['version'], false],
  ['mine_info', [], true],
])('recognizes a server by %s with the labels %j: %s', (name, labels, isRecognized) => {
  const names = builtInServers
    .with([mine])
    .recognize([name], () => labels)
    .map(server => server.name);
  expect(names.includes('Mine')).toBe(isRecognized);
});

test('every built-in server says where it states its version, or that it does not', () => {
  expect(
    builtInServers.servers
      .filter(({ recognize }) => recognize.buildInfo === undefined)
      .map(({ name }) => name),
  ).toEqual([]);
});

test.each<[string, { since?: string; until?: string }, string | undefined]>([
  ['v0.8.2', { since: '0.9' }, 'since 0.9'],
  ['0.9.0-rc1', { since: '0.9' }, undefined],
  ['0.10', { since: '0.9' }, undefined],
  ['1.0', { until: '0.28' }, 'up to 0.28'],
  ['0.28.1', { until: '0.28' }, undefined],
  ['main', { since: '0.9', until: '0.9' }, undefined],
  ['0.9', {}, undefined],
])('describes why version %s lacks a metric of %j as %s', (version, range, text) => {
  expect(describeVersionGap(version, range)).toBe(text);
});
