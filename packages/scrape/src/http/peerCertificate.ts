import { connect, type PeerCertificate } from 'node:tls';
import type { Lookup } from './connection.ts';

/** Time limit of one probe, in milliseconds. */
const PROBE_TIMEOUT_MS = 2000;

/** The result of a certificate probe. */
export interface CertificateProbe {
  /** Undefined if the TLS handshake failed or timed out. */
  readonly certificate: PeerCertificate | undefined;
  /** True if the probe timed out, which makes the result inconclusive. */
  readonly hasTimedOut: boolean;
}

/**
 * Fetches the certificate that a server presents, valid or not, to explain a TLS failure. No request is sent,
 * and the certificate is used only in messages.
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
    const finish = (certificate: PeerCertificate | undefined, hasTimedOut = false): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ certificate, hasTimedOut });
    };
    const timer = setTimeout(() => finish(undefined, true), PROBE_TIMEOUT_MS);
    socket.once('secureConnect', () => finish(socket.getPeerCertificate()));
    socket.once('error', () => finish(undefined));
    socket.once('close', () => finish(undefined));
  });
}
