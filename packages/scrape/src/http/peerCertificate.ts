import { connect, type PeerCertificate } from 'node:tls';
import type { Lookup } from './connection.ts';

/** What a look at a server costs at most, ms. */
const PROBE_TIMEOUT_MS = 2000;

/** What a look at a server has seen. */
export interface CertificateProbe {
  /** None when the server does not speak TLS, or did not show it. */
  readonly certificate: PeerCertificate | undefined;
  /** Whether the time was over before there was an answer, so that nothing is known. */
  readonly hasTimedOut: boolean;
}

/**
 * Looks at the certificate that a server shows to whoever asks, believed or not, to tell what is wrong with it. Nothing is sent
 * to it, and what it shows is for messages only.
 */
export function probeCertificate(url: string, lookup?: Lookup): Promise<CertificateProbe> {
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise(resolve => {
    const socket = connect({
      host,
      port: Number(port || (protocol === 'https:' ? 443 : 80)),
      ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
      ...(lookup ? { lookup } : {}),
      rejectUnauthorized: false,
    });
    const done = (certificate: PeerCertificate | undefined, hasTimedOut = false): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ certificate, hasTimedOut });
    };
    const timer = setTimeout(() => done(undefined, true), PROBE_TIMEOUT_MS);
    socket.once('secureConnect', () => done(socket.getPeerCertificate()));
    socket.once('error', () => done(undefined));
    socket.once('close', () => done(undefined));
  });
}
