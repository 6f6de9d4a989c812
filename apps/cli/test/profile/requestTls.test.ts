import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { UsageError } from '@org/terminal';
import { expect, test } from 'vitest';
import { readRequestTls } from '../../src/profile/requestTls.ts';
import { makeTestFolder } from '../support/temporaryFolder.ts';

/** A valid certificate in PEM format. */
const CERTIFICATE = rootCertificates[0]!;

/** Creates a folder with a valid and an invalid PEM file. */
function makeFolderWithFiles(): string {
  const folder = makeTestFolder();
  writeFileSync(join(folder, 'ca.pem'), CERTIFICATE);
  writeFileSync(join(folder, 'invalid.pem'), 'CERTIFICATE');
  return folder;
}

test('adds CA certificates to the default ones', () => {
  const folder = makeFolderWithFiles();
  const { ca, verifyTls } = readRequestTls({ 'ca-file': 'ca.pem' }, folder);
  expect(ca?.at(-1)).toBe(CERTIFICATE);
  expect(ca?.slice(0, rootCertificates.length)).toEqual(rootCertificates);
  expect(verifyTls).toBe(true);
  expect(readRequestTls({ insecure: true }, folder)).toEqual({ verifyTls: false });
});

test.each([
  [{ 'ca-file': '/nowhere' }, /^--ca-file: .*"\/nowhere"/],
  [{ 'ca-file': 'invalid.pem' }, /^--ca-file: .*invalid.pem.* has no certificate; expected PEM/],
  [{ 'cert-file': 'ca.pem' }, '--cert-file requires --key-file'],
  [{ 'key-file': 'ca.pem' }, '--key-file requires --cert-file'],
  [{ 'cert-file': 'ca.pem', 'key-file': 'invalid.pem' }, /^--key-file: .*invalid.pem.* no private key/],
])('rejects %j', (raw, message) => {
  const folder = makeFolderWithFiles();
  expect(() => readRequestTls(raw, folder)).toThrow(UsageError);
  expect(() => readRequestTls(raw, folder)).toThrow(message);
});
