import { connect, type PeerCertificate } from 'node:tls';
import type { Lookup } from './connection.ts';

/** What a look at a server costs at most, ms. */
const PATIENCE_MS = 2000;

/**
 * The certificate that a server shows to whoever asks, believed or not, to tell what is wrong with it; undefined when it does
 * not speak TLS. Nothing is sent to it, and what it shows is for messages only.
 */
export function shownCertificate(url: string, lookup?: Lookup): Promise<PeerCertificate | undefined> {
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
    const done = (certificate: PeerCertificate | undefined): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(certificate);
    };
    const timer = setTimeout(() => done(undefined), PATIENCE_MS);
    socket.once('secureConnect', () => done(socket.getPeerCertificate()));
    socket.once('error', () => done(undefined));
    socket.once('close', () => done(undefined));
  });
}
