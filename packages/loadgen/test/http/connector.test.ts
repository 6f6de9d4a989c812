import { createServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { CERTIFICATE, KEY } from '../support/certificate.ts';
import { loaded } from '../support/load.ts';
import { DONE, rawServer, said } from '../support/server.ts';

async function secureServer(more: ServerOptions = {}): Promise<number> {
  const server = createServer({ cert: CERTIFICATE, key: KEY, ...more }, (request, response) => {
    request.resume();
    response.setHeader('content-type', 'text/event-stream');
    response.end(said('a') + DONE);
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

test('TLS has its time, and so has looking up a name', async () => {
  const port = await secureServer();
  const { records } = await loaded(`https://localhost:${port}`, { tls: { ca: CERTIFICATE }, profiling });
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

test('a certificate that is not trusted is refused, unless that is asked for', async () => {
  const port = await secureServer();
  const refused = await loaded(`https://localhost:${port}`, { profiling });
  expect(refused.records.map(({ failure }) => failure?.type)).toEqual(['TlsError', 'TlsError']);
  const taken = await loaded(`https://localhost:${port}`, { tls: { verifyTls: false }, profiling });
  expect(taken.records.map(({ failure }) => failure)).toEqual([undefined, undefined]);
});

test('a server that asks who we are is shown our certificate', async () => {
  const port = await secureServer({ ca: CERTIFICATE, requestCert: true, rejectUnauthorized: true });
  const tls = { ca: [CERTIFICATE], cert: CERTIFICATE, key: KEY };
  const { records } = await loaded(`https://localhost:${port}`, { tls, profiling });
  expect(records.map(({ failure }) => failure)).toEqual([undefined, undefined]);
  const unknown = await loaded(`https://localhost:${port}`, { tls: { ca: CERTIFICATE }, profiling });
  expect(unknown.records.map(({ failure }) => failure === undefined)).toEqual([false, false]);
});

test('a connection that does not come about in its time is given up', async () => {
  // It takes the connection and never says a word of TLS.
  const { url } = await rawServer(() => {});
  const { records } = await loaded(url.replace('http:', 'https:'), { connectTimeoutS: 0.2, profiling });
  for (const { failure, trace } of records) {
    expect([failure?.type, trace.sendStartNs]).toEqual(['ConnectTimeout', undefined]);
  }
});
