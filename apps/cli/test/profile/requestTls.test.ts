import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { UsageError } from '@org/terminal';
import { expect, test } from 'vitest';
import { readRequestTls } from '../../src/profile/requestTls.ts';
import { temporaryFolder } from './support.ts';

/** A valid certificate. */
const PEM = rootCertificates[0]!;

function folderOfFiles(): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'ca.pem'), PEM);
  writeFileSync(join(folder, 'none.pem'), 'CERTIFICATE');
  return folder;
}

test('adds CA certificates to the default ones', () => {
  const folder = folderOfFiles();
  const { ca, verifyTls } = readRequestTls({ 'ca-file': 'ca.pem' }, folder);
  expect(ca?.at(-1)).toBe(PEM);
  expect(ca?.slice(0, rootCertificates.length)).toEqual(rootCertificates);
  expect(verifyTls).toBe(true);
  expect(readRequestTls({ insecure: true }, folder)).toEqual({ verifyTls: false });
});

test.each([
  [{ 'ca-file': '/nowhere' }, /^--ca-file: .*"\/nowhere"/],
  [{ 'ca-file': 'none.pem' }, /^--ca-file: .*none.pem.* has no certificate; expected PEM/],
  [{ 'cert-file': 'ca.pem' }, '--cert-file requires --key-file'],
  [{ 'key-file': 'ca.pem' }, '--key-file requires --cert-file'],
  [{ 'cert-file': 'ca.pem', 'key-file': 'none.pem' }, /^--key-file: .*none.pem.* no private key/],
])('rejects %j', (raw, message) => {
  const folder = folderOfFiles();
  expect(() => readRequestTls(raw, folder)).toThrow(UsageError);
  expect(() => readRequestTls(raw, folder)).toThrow(message);
});
