import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseCommandLine } from '@org/terminal/parse';
import { expect, test } from 'vitest';
import { collectCommand } from '../../src/commands/collect.ts';
import { type PushSettings, readPush } from '../../src/options/push.ts';
import { makeSuiteFolder } from '../support/temporaryFolder.ts';

const cwd = makeSuiteFolder();
writeFileSync(join(cwd, 'headers'), '# tenant\n\nX-Scope-OrgID: 7\notlp=Authorization: Bearer from-file\n');
writeFileSync(join(cwd, 'broken'), 'Authorization\n');

/** Splits words; quoted words may contain spaces. */
const splitWords = (text: string): string[] =>
  [...text.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word);

const read = (words: string): PushSettings | undefined =>
  readPush(parseCommandLine(collectCommand, splitWords(words), ''), cwd);

const listUrls = (words: string): string[] =>
  (read(words)?.targets ?? []).map(({ protocol, url }) => `${protocol} ${url}`);

test('without options, nothing is pushed or served', () => {
  expect(read('')).toBeUndefined();
});

test.each([
  ['--push otlp=http://h:4318', ['otlp http://h:4318/v1/metrics']],
  ['--push otlp-json=http://h:4318/', ['otlp-json http://h:4318/v1/metrics']],
  ['--push otlp=http://h/api/v1/otlp/v1/metrics', ['otlp http://h/api/v1/otlp/v1/metrics']],
  ['--push remote-write=https://h', ['remote-write https://h/api/v1/write']],
  ['--push remote-write=http://h/push?tenant=a', ['remote-write http://h/push?tenant=a']],
  [
    '--push otlp=http://a --push remote-write=http://b',
    ['otlp http://a/v1/metrics', 'remote-write http://b/api/v1/write'],
  ],
  ['--otel-url collector:4318', ['otlp http://collector:4318/v1/metrics']],
  ['--otel-url https://h/otlp/', ['otlp https://h/otlp/v1/metrics']],
  ['--otel-url http://h/v1/metrics', ['otlp http://h/v1/metrics']],
])('%s names the receivers', (words, expected) => {
  expect(listUrls(words)).toEqual(expected);
});

test('--push-label, --otel-resource-attributes and --gen-ai-provider add labels', () => {
  const words =
    '--metrics-port 0 --push-label team=a=b --push-label zone=x --otel-resource-attributes k8s.pod=p,env=ci --gen-ai-provider vllm';
  expect(read(words)?.labels).toEqual({
    team: 'a=b',
    zone: 'x',
    'k8s.pod': 'p',
    env: 'ci',
    'gen_ai.provider.name': 'vllm',
  });
});

test('--push-header and --push-header-file set headers for all receivers, or for the receivers of one protocol', () => {
  const targets = '--push otlp=http://a --push remote-write=http://b';
  const headers =
    "--push-header 'X-A: 1' --push-header 'remote-write=Authorization: Basic eDp5' --push-header-file headers";
  expect(read(`${targets} ${headers}`)?.targets.map(target => target.headers)).toEqual([
    { 'x-a': '1', 'x-scope-orgid': '7', authorization: 'Bearer from-file' },
    { 'x-a': '1', 'x-scope-orgid': '7', authorization: 'Basic eDp5' },
  ]);
});

test('secrets of a receiver are removed from its messages', () => {
  const [target] = read(
    "--push otlp=http://me:pass%20word@h/?key=query-secret --push-header 'Authorization: Bearer the-token'",
  )!.targets;
  const login = Buffer.from('me:pass word').toString('base64');
  expect(target!.redact(`the-token, pass word, pass%20word, ${login} or query-secret`)).toBe(
    '<redacted>, <redacted>, <redacted>, <redacted> or <redacted>',
  );
});

test.each([
  ['--push otlp=http://a', 5000],
  ['--push otlp=http://a --push-timeout 0.5', 500],
])('%s waits %i ms at the end', (words, timeoutMs) => {
  expect(read(words)?.timeoutMs).toBe(timeoutMs);
});

test.each([
  ['0', 0],
  ['9464', 9464],
])('--metrics-port %s', (port, expected) => {
  expect(read(`--metrics-port ${port}`)).toMatchObject({ metricsPort: expected, targets: [] });
});

test.each([
  [
    '--push http://h',
    'invalid --push: expected PROTOCOL=URL, with PROTOCOL one of otlp, otlp-json, remote-write',
  ],
  ['--push kafka=http://h', 'invalid --push: expected PROTOCOL=URL'],
  ['--push otlp=h:4318', 'invalid --push "h:4318": expected an http or https URL'],
  ['--push otlp=ftp://me:secret@h', 'invalid --push "ftp://h": expected an http or https URL'],
  ['--otel-url grpc://h', 'invalid --otel-url "grpc://h": expected an http or https URL'],
  ['--push otlp=http://h --otel-url h', '--push names a receiver more than once'],
  ['--push otlp=http://h --push-label team', 'invalid --push-label: expected NAME=VALUE'],
  ['--push otlp=http://h --push-label 9x=1', 'invalid --push-label: expected NAME=VALUE'],
  ['--push otlp=http://h --push-label __x=1', 'invalid --push-label: expected NAME=VALUE'],
  ['--push otlp=http://h --push-label job=x', 'invalid --push-label: the label job is set by Servelens'],
  ['--push otlp=http://h --push-label run.id=x', 'the label run.id is set by Servelens'],
  ['--push otlp=http://h --push-header secret', "invalid --push-header <redacted>: expected 'Name: value'"],
  ["--push otlp=http://h --push-header 'Content-Type: x'", '--push-header cannot set Content-Type'],
  ['--push otlp=http://h --push-header-file broken', 'invalid --push-header-file <redacted>'],
  ['--push otlp=http://h --push-header-file missing', 'no such file'],
  ['--push otlp=http://h --push-timeout -1', 'invalid --push-timeout'],
  ['--metrics-port 70000', 'invalid --metrics-port "70000": expected an integer from 0 to 65535'],
  ["--push-header 'X-A: 1'", '--push-header has no effect without --push'],
  ['--metrics-port 0 --push-timeout 1', '--push-timeout has no effect without --push'],
  ['--push-label a=b', '--push-label has no effect without --push or --metrics-port'],
  ['--gen-ai-provider x', '--gen-ai-provider has no effect without --push or --metrics-port'],
])('%s is refused', (words, message) => {
  expect(() => read(words)).toThrow(message);
});
