import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where a file of files/tls is; make.sh there tells how they were made. */
export function pemPath(name: string): string {
  return fileURLToPath(new URL(`../files/tls/${name}`, import.meta.url));
}

/** What a TLS server shows: the certificate of this name, and the key that belongs to it. */
export function identity(name: 'server' | 'expired' | 'otherhost' | 'selfsigned'): {
  cert: string;
  key: string;
} {
  return {
    cert: readFileSync(pemPath(`${name}.pem`), 'utf8'),
    key: readFileSync(pemPath('server.key'), 'utf8'),
  };
}
