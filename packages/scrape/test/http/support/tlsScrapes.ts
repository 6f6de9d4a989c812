import type { TlsOptions } from 'node:tls';
import { readTlsConfig, type TlsConfigOptions } from '../../../src/credentials/tlsConfig.ts';
import type { FetchResult } from '../../../src/http/exchange.ts';
import { Fetcher } from '../../../src/http/fetcher.ts';
import { createSystemClock } from '../../../src/schedule/clock.ts';
import { getPemPath } from '../../support/certificates.ts';
import { respondWith, ScriptedServer } from '../../support/scriptedServer.ts';

export const LIMITS = { timeoutMs: 10_000, encodedBytes: 10_000, decodedBytes: 20_000 } as const;

/** TLS options that trust the CA of the test certificates. */
export const CA: TlsConfigOptions = { caFile: getPemPath('ca.pem') };

/** Servers and fetchers that `closeAll` closes after a test. */
export const open: { stop?: () => Promise<void>; close?: () => Promise<void> }[] = [];

export async function closeAll(): Promise<void> {
  for (const item of open.splice(0)) await (item.stop?.() ?? item.close?.());
}

/** Fetches a URL once with these TLS files. */
export async function scrape(url: string, files: TlsConfigOptions = {}): Promise<FetchResult> {
  const fetcher = new Fetcher({ clock: createSystemClock(), limits: LIMITS, tls: readTlsConfig(files) });
  open.push(fetcher);
  return fetcher.fetch(url);
}

/** Starts a TLS server with a metrics page. */
export async function serve(tls: TlsOptions): Promise<ScriptedServer> {
  const server = await ScriptedServer.start(respondWith('a 1\n'), { tls });
  open.push(server);
  return server;
}
