import { createServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { CERTIFICATE, KEY } from '../support/certificate.ts';
import { runLoad } from '../support/load.ts';
import { DONE, formatChatEvent, startRawServer } from '../support/server.ts';

async function startSecureServer(overrides: ServerOptions = {}): Promise<number> {
  const server = createServer({ cert: CERTIFICATE, key: KEY, ...overrides }, (request, response) => {
    request.resume();
    response.setHeader('content-type', 'text/event-stream');
    response.end(formatChatEvent('a') + DONE);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(
    () =>
      new Promise<void>(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return (server.address() as AddressInfo).port;
}

const profiling = { concurrency: 1, requestCount: 2 };

test('records separate times for DNS lookup and TLS', async () => {
  const port = await startSecureServer();
  const { records } = await runLoad(`https://localhost:${port}`, { tls: { ca: CERTIFICATE }, profiling });
  expect(records.map(({ failure }) => failure)).toEqual([undefined, undefined]);
  const { trace, traffic } = records[0]!;
  const steps = [
    trace.startNs,
    trace.blockedEndNs!,
    trace.lookupStartNs!,
    trace.lookupEndNs!,
    trace.connectStartNs!,
    trace.tlsStartNs!,
    trace.connectEndNs!,
    trace.sendStartNs!,
  ];
  expect(steps).toEqual([...steps].sort((a, b) => a - b));
  expect(trace.tlsStartNs).toBeLessThan(trace.connectEndNs!);
  expect(traffic.bytesSent).toBeGreaterThan(traffic.requestBytes);
  expect(records[1]!.connectionReused).toBe(true);
});

test('rejects an untrusted certificate unless verification is disabled', async () => {
  const port = await startSecureServer();
  const verified = await runLoad(`https://localhost:${port}`, { profiling });
  expect(verified.records.map(({ failure }) => failure?.type)).toEqual(['TlsError', 'TlsError']);
  const unverified = await runLoad(`https://localhost:${port}`, { tls: { verifyTls: false }, profiling });
  expect(unverified.records.map(({ failure }) => failure)).toEqual([undefined, undefined]);
});

test('presents the client certificate to a server that requires a certificate', async () => {
  const port = await startSecureServer({ ca: CERTIFICATE, requestCert: true, rejectUnauthorized: true });
  const tls = { ca: [CERTIFICATE], cert: CERTIFICATE, key: KEY };
  const { records } = await runLoad(`https://localhost:${port}`, { tls, profiling });
  expect(records.map(({ failure }) => failure)).toEqual([undefined, undefined]);
  const withoutCertificate = await runLoad(`https://localhost:${port}`, {
    tls: { ca: CERTIFICATE },
    profiling,
  });
  expect(withoutCertificate.records.map(({ failure }) => failure === undefined)).toEqual([false, false]);
});

test('reports a connect timeout if the TLS handshake does not complete', async () => {
  // The server accepts connections but never starts TLS.
  const { url } = await startRawServer(() => {});
  const { records } = await runLoad(url.replace('http:', 'https:'), { connectTimeoutS: 0.2, profiling });
  for (const { failure, trace } of records) {
    expect([failure?.type, trace.sendStartNs]).toEqual(['ConnectTimeout', undefined]);
  }
});
