import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Returns the path of a file in test/files/tls, which make.sh generates. */
export function getPemPath(name: string): string {
  return fileURLToPath(new URL(`../files/tls/${name}`, import.meta.url));
}

/** Returns a test certificate and its private key, for a TLS server. */
export function readIdentity(name: 'server' | 'expired' | 'otherhost' | 'selfsigned'): {
  cert: string;
  key: string;
} {
  return {
    cert: readFileSync(getPemPath(`${name}.pem`), 'utf8'),
    key: readFileSync(getPemPath('server.key'), 'utf8'),
  };
}
