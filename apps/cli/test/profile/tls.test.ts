import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { UsageError } from '@org/terminal';
import { expect, test } from 'vitest';
import { readTls } from '../../src/profile/tls.ts';
import { temporaryFolder } from './support.ts';

/** Any certificate that can be read. */
const PEM = rootCertificates[0]!;

function folderOfFiles(): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'ca.pem'), PEM);
  writeFileSync(join(folder, 'none.pem'), 'CERTIFICATE');
  return folder;
}

test('issuers that are given come beside the usual ones', () => {
  const folder = folderOfFiles();
  const { ca, verifyTls } = readTls({ 'ca-file': 'ca.pem' }, folder);
  expect(ca?.at(-1)).toBe(PEM);
  expect(ca?.slice(0, rootCertificates.length)).toEqual(rootCertificates);
  expect(verifyTls).toBe(true);
  expect(readTls({ insecure: true }, folder)).toEqual({ verifyTls: false });
});

test.each([
  [{ 'ca-file': '/nowhere' }, /^--ca-file: .*"\/nowhere"/],
  [{ 'ca-file': 'none.pem' }, /^--ca-file: .*none.pem.* has no certificate; expected PEM/],
  [{ 'cert-file': 'ca.pem' }, '--cert-file is given without --key-file; expected both'],
  [{ 'key-file': 'ca.pem' }, '--key-file is given without --cert-file; expected both'],
  [{ 'cert-file': 'ca.pem', 'key-file': 'none.pem' }, /^--key-file: .*none.pem.* no private key/],
])('refuses %j', (raw, message) => {
  const folder = folderOfFiles();
  expect(() => readTls(raw, folder)).toThrow(UsageError);
  expect(() => readTls(raw, folder)).toThrow(message);
});
