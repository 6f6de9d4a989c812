import { connect, type PeerCertificate } from 'node:tls';
import type { Lookup } from './connection.ts';

/** Time limit of one probe, in milliseconds. */
const PROBE_TIMEOUT_MS = 2000;

/** The result of one probe. */
export interface CertificateProbe {
  /** Undefined if the server does not support TLS or presented no certificate. */
  readonly certificate: PeerCertificate | undefined;
  /** True if the probe timed out, so that the result is inconclusive. */
  readonly hasTimedOut: boolean;
}

/**
 * Fetches the certificate that a server presents, valid or not, to explain why TLS failed. No request is
 * sent, and the certificate is used for messages only.
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
