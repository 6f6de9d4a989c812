import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { PeerCertificate, TlsOptions } from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import type { TlsConfigOptions } from '../../src/credentials/tlsConfig.ts';
import { describeTlsFailure } from '../../src/http/tlsFailure.ts';
import { getPemPath, readIdentity } from '../support/certificates.ts';
import { CA, closeAll, open, scrape, serve } from './support/tlsScrapes.ts';

afterEach(closeAll);

describe('a server with an invalid certificate', () => {
  const cases: [string, Parameters<typeof readIdentity>[0], TlsConfigOptions, string, RegExp][] = [
    [
      'expired',
      'expired',
      CA,
      'tls_expired',
      /^failed the TLS handshake: certificate of host localhost expired on 2020-01-02 00:00:00 UTC; use --insecure to accept it$/,
    ],
    [
      'expired, from an unknown issuer',
      'expired',
      {},
      'tls_expired',
      /expired on 2020-01-02 00:00:00 UTC; use --insecure to accept it$/,
    ],
    [
      'issued for another host',
      'otherhost',
      CA,
      'tls_wrong_host',
      /certificate of host localhost was issued for other.example, more.example; expected localhost; use --insecure to accept it$/,
    ],
    [
      'self-signed',
      'selfsigned',
      {},
      'tls_untrusted',
      /certificate of host localhost is self-signed; use --insecure to accept it, or --ca-file FILE to trust it$/,
    ],
    [
      'from an unknown issuer',
      'server',
      {},
      'tls_untrusted',
      /is issued by "Servelens test CA", which is not a trusted CA; use --insecure to accept it, or --ca-file FILE to trust its issuer$/,
    ],
  ];
  test.each(cases)('is rejected: %s', async (_, name, files, reason, message) => {
    const server = await serve(readIdentity(name));
    const { failure, body } = await scrape(server.url(), files);
    expect(body).toBeUndefined();
    expect(failure).toMatchObject({ reason });
    expect(failure!.message).toMatch(message);
    expect(server.requestedUrls).toEqual([]);
  });

  test.each(cases)('is accepted with --insecure: %s', async (_, name) => {
    const server = await serve(readIdentity(name));
    expect((await scrape(server.url(), { insecure: true })).failure).toBeUndefined();
  });
});

test('trusts a certificate issued by --ca-file, or contained in it', async () => {
  expect((await scrape((await serve(readIdentity('server'))).url(), CA)).failure).toBeUndefined();
  const selfSigned = await serve(readIdentity('selfsigned'));
  expect((await scrape(selfSigned.url(), { caFile: getPemPath('selfsigned.pem') })).failure).toBeUndefined();
});

describe('a server that requires a client certificate', () => {
  const createStrictOptions = (): TlsOptions => ({
    ...readIdentity('server'),
    ca: readFileSync(getPemPath('ca.pem')),
    requestCert: true,
    rejectUnauthorized: true,
  });

  test('accepts --cert-file and --key-file', async () => {
    const server = await serve(createStrictOptions());
    const files = { ...CA, certFile: getPemPath('client.pem'), keyFile: getPemPath('client.key') };
    expect((await scrape(server.url(), files)).failure).toBeUndefined();
  });

  test('reports a failure without them', async () => {
    const server = await serve(createStrictOptions());
    const { failure } = await scrape(server.url(), CA);
    expect(['tls_client_certificate', 'connection_closed']).toContain(failure?.reason);
    expect(server.requestedUrls).toEqual([]);
  });
});

const hasOpenssl = /^OpenSSL 3/.test(String(spawnSync('openssl', ['version']).stdout));
if (!hasOpenssl) console.log('skipped the test of TLS alerts: OpenSSL 3 is not installed');

test.skipIf(!hasOpenssl)('reports the alert of a server that requires a client certificate', async () => {
  const args = [
    '-cert',
    getPemPath('server.pem'),
    '-key',
    getPemPath('server.key'),
    '-CAfile',
    getPemPath('ca.pem'),
  ];
  const server = spawn('openssl', [
    's_server',
    '-accept',
    '127.0.0.1:0',
    '-Verify',
    '1',
    '-verify_return_error',
    ...args,
  ]);
  open.push({ stop: async () => void server.kill() });
  const output: Buffer[] = [];
  const port = await new Promise<string>(resolve => {
    server.stdout.on('data', (chunk: Buffer) => {
      output.push(chunk);
      const [, found] = /ACCEPT [^\s]*:(\d+)/.exec(Buffer.concat(output).toString()) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  const { failure } = await scrape(`https://localhost:${port}/metrics`, CA);
  expect(failure).toMatchObject({
    reason: 'tls_client_certificate',
    message:
      'failed the TLS handshake: host localhost requires a client certificate (certificate required); pass one that the server accepts with --cert-file and --key-file',
  });
});

test.each([
  [
    'CERT_NOT_YET_VALID',
    'tls_expired',
    /^failed the TLS handshake: certificate of host h is not valid before 2100-01-01 00:00:00 UTC/,
  ],
  [
    'CERT_HAS_EXPIRED',
    'tls_expired',
    /an issuer certificate in the chain of the certificate of host h is expired/,
  ],
  [
    'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
    'tls_client_certificate',
    /requires a client certificate \(unknown ca\)/,
  ],
  ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', 'tls_client_certificate', /\(bad certificate\)/],
  ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'tls', /^failed the TLS handshake: unsupported protocol$/],
])('describes %s', (code, reason, message) => {
  const error = Object.assign(new Error('error:0A:SSL'), { code, reason: 'unsupported protocol' });
  const certificate = { valid_from: 'Jan  1 00:00:00 2100 GMT', valid_to: 'Jan  1 00:00:00 2101 GMT' };
  const failure = describeTlsFailure(error, 'https://h:1/metrics', certificate as PeerCertificate);
  expect(failure.reason).toBe(reason);
  expect(failure.message).toMatch(message);
});

test.each([
  ['CERT_HAS_EXPIRED', 'tls_expired', /certificate of host h, or of an issuer in its chain, is expired/],
  ['CERT_NOT_YET_VALID', 'tls_expired', /host h, or of an issuer in its chain, is not yet valid/],
  [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'tls_untrusted',
    /is issued by an unknown issuer, which is not a trusted CA/,
  ],
])('describes %s without a certificate', (code, reason, message) => {
  const failure = describeTlsFailure(
    Object.assign(new Error('no'), { code }),
    'https://h:1/metrics',
    undefined,
  );
  expect(failure.reason).toBe(reason);
  expect(failure.message).toMatch(message);
});
