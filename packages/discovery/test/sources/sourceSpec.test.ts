import { expect, test } from 'vitest';
import { parseSourceSpec, redactSource } from '../../src/sources/sourceSpec.ts';

test.each([
  ['file_sd:targets/*.json', { kind: 'file_sd', path: 'targets/*.json' }],
  ['file-sd: a b.yml ', { kind: 'file_sd', path: 'a b.yml' }],
  ['http_sd:http://sd:80/x', { kind: 'http_sd', url: 'http://sd:80/x' }],
  ['http_sd:sd/x', { kind: 'http_sd', url: 'http://sd/x' }],
  ['dns:vllm.llm.svc:8000', { kind: 'dns', url: 'http://vllm.llm.svc:8000' }],
  ['dns:https://vllm:80/custom', { kind: 'dns', url: 'https://vllm:80/custom' }],
  ['srv:_metrics._tcp.vllm', { kind: 'srv', url: 'http://_metrics._tcp.vllm' }],
  ['prometheus:https://p/prom?scrapePool=a', { kind: 'prometheus', url: 'https://p/prom?scrapePool=a' }],
])('parses %s', (text, expected) => {
  expect(parseSourceSpec(text)).toEqual(expected);
});

test.each([
  ['', 'invalid source "": unknown kind of source; expected file_sd:FILE, http_sd:URL'],
  ['kubernetes', 'invalid source "kubernetes": use --discovery kubernetes'],
  ['htp_sd:http://h', 'unknown kind of source (did you mean http_sd?)'],
  ['file_sd:', 'nothing follows file_sd:'],
  ['http_sd:ftp://h', 'not a valid URL or name'],
  ['http_sd:a b', 'not a valid URL or name'],
  ['dns:vllm', 'invalid source "dns:vllm": the port is missing'],
  ['srv:vllm:80', 'SRV records contain the port'],
])('rejects %j', (text, message) => {
  expect(() => parseSourceSpec(text)).toThrow(message);
});

test.each([
  ['http_sd:https://me:hunter2@h/x?token=abc', 'http_sd:https://h/x?token=REDACTED'],
  ['prometheus:me:hunter2@h', 'prometheus:h'],
  ['https://me:hunter2@h', 'https://h'],
  ['file_sd:a/b.json', 'file_sd:a/b.json'],
])('redacts %s', (text, expected) => {
  expect(redactSource(text)).toBe(expected);
});

test('does not show the secrets of an invalid source', () => {
  expect(() => parseSourceSpec('htp:http://me:hunter2@h')).toThrow('invalid source "htp:http://h"');
});
