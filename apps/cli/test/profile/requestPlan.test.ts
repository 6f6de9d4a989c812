import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { UsageError } from '@org/terminal';
import { expect, test } from 'vitest';
import { readRequestTls } from '../../src/profile/requestPlan.ts';
import { readProfile, splitWords } from '../support/options.ts';
import { makeTestFolder } from '../support/temporaryFolder.ts';

const read = (...words: string[]) => readProfile(words).plan.request;

test('returns the defaults', () => {
  expect(read('--model', 'm')).toEqual({
    models: ['m'],
    urls: ['localhost:8000'],
    endpoint: 'chat',
    streaming: false,
    headers: {},
    extraInputs: {},
    legacyMaxTokens: false,
    connectionReuse: 'pooled',
    tls: { verifyTls: true },
  });
});

test('reads all options', () => {
  const line =
    '-m m --url a:1/v1 https://b --endpoint-type chat --osl 5 --endpoint /generate --streaming -H x:1 --api-key k ' +
    '--extra-inputs top_k:3 --use-legacy-max-tokens --request-timeout-seconds 2.5 --connection-reuse-strategy never --insecure';
  expect(read(...splitWords(line))).toEqual({
    models: ['m'],
    urls: ['a:1/v1', 'https://b'],
    endpoint: 'chat',
    path: '/generate',
    streaming: true,
    headers: { x: '1' },
    apiKey: 'k',
    extraInputs: { top_k: 3 },
    legacyMaxTokens: true,
    timeoutSeconds: 2.5,
    connectionReuse: 'never',
    tls: { verifyTls: false },
  });
});

test.each<[string, Record<string, string>]>([
  ['X-A:1,X-B:2', { 'X-A': '1', 'X-B': '2' }],
  ['X-A: 1, X-B: 2', { 'X-A': '1', 'X-B': '2' }],
  ['Accept: text/html, application/json', { Accept: 'text/html, application/json' }],
  ['Link: a,http://b', { Link: 'a,http://b' }],
  ['X-Window: Mon,09:00', { 'X-Window': 'Mon,09:00' }],
  ['X-Forwarded-For: 10.0.0.1, fe80::1', { 'X-Forwarded-For': '10.0.0.1, fe80::1' }],
  ['{"X-A": "1,b:2"}', { 'X-A': '1,b:2' }],
])('--header %j has the headers %j', (text, headers) => {
  expect(read('-m', 'm', '-H', text).headers).toEqual(headers);
});

test('--header may have several values', () => {
  const words = ['-H', 'X-A: 1', 'X-B: 2', '--url', 'a:1'];
  expect(read('-m', 'm', ...words).headers).toEqual({ 'X-A': '1', 'X-B': '2' });
});

test('a header may end with a colon', () => {
  const words = ['-H', 'X-A: hunter2:', '-H', 'X-B: 1'];
  expect(read('-m', 'm', ...words).headers).toEqual({ 'X-A': 'hunter2:', 'X-B': '1' });
});

test('names a header without quotes', () => {
  expect(() => read('-m', 'm', '--header', 'X-Trace:', 'a:b')).toThrow(
    "invalid --header: X-Trace: has no value; quote headers with spaces: 'NAME: VALUE'",
  );
});

test('requires a model', () => {
  expect(() => read()).toThrow('missing --model; expected a model name');
});

test('rejects an API key that is not valid in a header, without showing it', () => {
  expect(() => read('-m', 'm', '--api-key', 'se\ncret')).toThrow(
    /^invalid --api-key: contains characters that HTTP headers do not allow; expected one line of Latin-1 text$/,
  );
});

test('rejects a URL of more than 8192 characters', () => {
  expect(() => read('-m', 'm', '--url', `a:1/${'a'.repeat(1e5)}`)).toThrow(
    `invalid --url "a:1/${'a'.repeat(196)}…": expected at most 8192 characters`,
  );
});

test.each([
  ['--url ftp://a', 'invalid --url "ftp://a": expected host:port or http(s)://host'],
  ['-H nonsense', `invalid --header "<redacted>": expected 'Name: value' on one line`],
  ['--extra-inputs abc', 'invalid --extra-inputs "abc": expected NAME:VALUE or a JSON object'],
  ['--request-timeout-seconds 0', 'invalid --request-timeout-seconds "0": expected a number of seconds'],
  ['--ca-file /nowhere', 'invalid --ca-file "/nowhere": no such file or folder'],
])('rejects %s', (line, message) => {
  const words = ['-m', 'm', ...splitWords(line)];
  expect(() => read(...words)).toThrow(UsageError);
  expect(() => read(...words)).toThrow(message);
});

/** A valid certificate in PEM format. */
const CERTIFICATE = readFileSync(
  new URL('../../../../packages/scrape/test/files/tls/ca.pem', import.meta.url),
  'utf8',
).trimEnd();

/** Creates a folder with a valid and an invalid PEM file. */
function makeCertificateFolder(): string {
  const folder = makeTestFolder();
  writeFileSync(join(folder, 'ca.pem'), CERTIFICATE);
  writeFileSync(join(folder, 'invalid.pem'), 'CERTIFICATE');
  return folder;
}

test('adds CA certificates to the default certificates', () => {
  const folder = makeCertificateFolder();
  const { ca, verifyTls } = readRequestTls({ 'ca-file': 'ca.pem' }, folder);
  expect(ca?.at(-1)).toBe(CERTIFICATE);
  expect(ca?.slice(0, rootCertificates.length)).toEqual(rootCertificates);
  expect(verifyTls).toBe(true);
  expect(readRequestTls({ insecure: true }, folder)).toEqual({ verifyTls: false });
});

test.each([
  [{ 'ca-file': '/nowhere' }, /^invalid --ca-file "\/nowhere": no such file or folder$/],
  [{ 'ca-file': 'invalid.pem' }, /^invalid --ca-file ".*invalid.pem": contains no certificate; expected PEM/],
  [{ 'cert-file': 'ca.pem' }, '--cert-file requires --key-file'],
  [{ 'key-file': 'ca.pem' }, '--key-file requires --cert-file'],
  [
    { 'cert-file': 'ca.pem', 'key-file': 'invalid.pem' },
    /^invalid --key-file ".*invalid.pem": contains no readable private key/,
  ],
])('rejects %j', (raw, message) => {
  const folder = makeCertificateFolder();
  expect(() => readRequestTls(raw, folder)).toThrow(UsageError);
  expect(() => readRequestTls(raw, folder)).toThrow(message);
});
