import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readTlsConfig, type TlsConfigOptions } from '../../src/credentials/tlsConfig.ts';
import { getPemPath } from '../support/certificates.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'trust-'));
  writeFileSync(join(folder, 'text'), 'hunter2');
  writeFileSync(
    join(folder, 'broken'),
    '-----BEGIN CERTIFICATE-----\naHVudGVyMg==\n-----END CERTIFICATE-----\n',
  );
  writeFileSync(
    join(folder, 'encrypted'),
    '-----BEGIN ENCRYPTED PRIVATE KEY-----\naHVudGVyMg==\n-----END ENCRYPTED PRIVATE KEY-----\n',
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const getPath = (name: string): string => join(folder, name);
const CERT = getPemPath('client.pem');
const KEY = getPemPath('client.key');

test.each<[string, TlsConfigOptions, boolean, boolean]>([
  ['no options', {}, false, false],
  ['the insecure option', { insecure: true }, false, true],
  ['a CA file', { caFile: getPemPath('ca.pem') }, true, false],
  ['a client certificate and key', { certFile: CERT, keyFile: KEY }, true, false],
  ['all options', { caFile: getPemPath('ca.pem'), certFile: CERT, keyFile: KEY, insecure: true }, true, true],
])('reads %s', (_, files, hasContext, insecure) => {
  const config = readTlsConfig(files);
  expect(config.insecure).toBe(insecure);
  expect(config.context !== undefined).toBe(hasContext);
});

test.each<[string, () => TlsConfigOptions, RegExp]>([
  [
    'a missing CA file',
    () => ({ caFile: getPath('none') }),
    /^invalid CA file ".*none": no such file or folder$/,
  ],
  [
    'a file without a certificate',
    () => ({ caFile: getPath('text') }),
    /^invalid CA file ".*text": contains no certificate; expected PEM/,
  ],
  [
    'an invalid certificate',
    () => ({ caFile: getPath('broken') }),
    /: certificate 1 is invalid; expected PEM$/,
  ],
  [
    'a key without a certificate',
    () => ({ keyFile: KEY }),
    /^invalid client key file ".*": requires a client certificate file$/,
  ],
  [
    'a certificate without a key',
    () => ({ certFile: CERT }),
    /^invalid client certificate file ".*": requires a client key file$/,
  ],
  [
    'an expired certificate',
    () => ({ certFile: getPemPath('expired.pem'), keyFile: getPemPath('server.key') }),
    /: the certificate expired on 2020-01-02 00:00:00 UTC; expected a valid certificate$/,
  ],
  [
    'a file without a key',
    () => ({ certFile: CERT, keyFile: getPath('text') }),
    /^invalid client key file ".*text": contains no readable private key/,
  ],
  [
    'an encrypted key',
    () => ({ certFile: CERT, keyFile: getPath('encrypted') }),
    /: the key is protected by a passphrase; expected a key without a passphrase$/,
  ],
  [
    'the key of another certificate',
    () => ({ certFile: CERT, keyFile: getPemPath('server.key') }),
    /does not match the certificate in ".*client.pem"$/,
  ],
])('rejects %s', (_, files, message) => {
  expect(() => readTlsConfig(files())).toThrow(message);
  expect(() => readTlsConfig(files())).toThrow(/^((?!hunter2|aHVudGVyMg).)*$/);
});

test('keeps trusting NODE_EXTRA_CA_CERTS in addition to a CA file', () => {
  const script = `
    import { readTlsConfig } from ${JSON.stringify(new URL('../../dist/credentials/tlsConfig.js', import.meta.url).href)};
    import { connect, createServer } from 'node:tls';
    import { readFileSync } from 'node:fs';
    const [key, cert, caFile] = process.argv.slice(1);
    const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }).listen(0, '127.0.0.1', () => {
      const { context } = readTlsConfig({ caFile });
      const socket = connect({ port: server.address().port, servername: 'localhost', secureContext: context }, () => {
        console.log(socket.authorized);
        process.exit();
      });
      socket.on('error', error => { console.log(error.code); process.exit(); });
    });`;
  const args = [
    '--input-type=module',
    '-e',
    script,
    getPemPath('server.key'),
    getPemPath('server.pem'),
    getPemPath('selfsigned.pem'),
  ];
  const run = (env: Record<string, string>): string =>
    execFileSync(process.execPath, args, {
      encoding: 'utf8',
      env: { ...process.env, ...env },
      timeout: 150_000,
    }).trim();
  expect(run({})).toMatch(/UNABLE_TO/);
  expect(run({ NODE_EXTRA_CA_CERTS: getPemPath('ca.pem') })).toBe('true');
});
