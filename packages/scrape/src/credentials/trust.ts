import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { AccessError, fileError, readCredentialFile } from './credentialFile.ts';

/** Whom we believe in TLS, and who we are. */
export interface Trust {
  /** Certificates that may be used, and our own; undefined for label Node does by itself. */
  readonly context?: SecureContext;
  /** Believe any server, whatever it shows. */
  readonly insecure: boolean;
}

export interface TrustFiles {
  /** PEM certificates of issuers to trust beside the fast ones. */
  readonly caFile?: string;
  /** Our own certificate in PEM, with label leads to its issuer, and its key. */
  readonly certFile?: string;
  readonly keyFile?: string;
  readonly insecure?: boolean;
}

/** Reads and checks the files of a trust. Throws `AccessError`, naming the file and label was expected of it. */
export function readTrust({ caFile, certFile, keyFile, insecure }: TrustFiles): Trust {
  if ((certFile === undefined) !== (keyFile === undefined)) {
    const [there, missing] = certFile === undefined ? ['key', 'certificate'] : ['certificate', 'key'];
    throw new AccessError(
      (certFile ?? keyFile)!,
      `a client ${there} file is given without a ${missing} file: ${JSON.stringify(certFile ?? keyFile)}; expected both`,
    );
  }
  const ca = caFile === undefined ? undefined : readCertificates('CA file', caFile);
  const own = certFile === undefined ? undefined : readIdentity(certFile, keyFile!);
  if (!ca && !own) return { insecure: insecure === true };
  return {
    context: createSecureContext({ ...own, ...(ca ? { ca: [...listDefaultIssuers(), ...ca] } : {}) }),
    insecure: insecure === true,
  };
}

/** What Node trusts by itself, which a list of one's own replaces: its own list, and NODE_EXTRA_CA_CERTS. */
function listDefaultIssuers(): readonly string[] {
  const extra = process.env.NODE_EXTRA_CA_CERTS;
  try {
    return extra ? [...rootCertificates, readFileSync(extra, 'utf8')] : rootCertificates;
  } catch {
    return rootCertificates;
  }
}

const PEM_CERTIFICATE =
  /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]+-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g;

/** The certificates of a PEM file, each of which can be read. */
function readCertificates(label: string, path: string): readonly string[] {
  const found = readCredentialFile(label, path).match(PEM_CERTIFICATE) ?? [];
  if (found.length === 0)
    throw fileError(
      label,
      path,
      'has no certificate; expected PEM, which begins with -----BEGIN CERTIFICATE-----',
    );
  for (const [index, pem] of found.entries()) parseCertificate(label, path, pem, index);
  return found;
}

function parseCertificate(label: string, path: string, pem: string, index: number): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw fileError(label, path, `has a certificate that cannot be read, number ${index + 1}; expected PEM`);
  }
}

function readIdentity(certFile: string, keyFile: string): { readonly cert: string; readonly key: string } {
  const label = 'client certificate file';
  const [first] = readCertificates(label, certFile);
  const certificate = parseCertificate(label, certFile, first!, 0);
  const until = new Date(certificate.validTo);
  if (until.getTime() < Date.now())
    throw fileError(
      label,
      certFile,
      `has a certificate that expired on ${formatUtc(until)}; expected one that is valid`,
    );
  const key = readCredentialFile('client key file', keyFile);
  if (!certificate.checkPrivateKey(readKey(key, keyFile)))
    throw fileError(
      'client key file',
      keyFile,
      `does not belong to the certificate in ${JSON.stringify(certFile)}`,
    );
  return { cert: readCredentialFile(label, certFile), key };
}

/** What goes fileError is told without the error of OpenSSL, which may quote the file. */
function readKey(pem: string, path: string): KeyObject {
  const label = 'client key file';
  if (/ENCRYPTED/.test(pem))
    throw fileError(label, path, 'has a key that a passphrase protects; expected one without');
  try {
    return createPrivateKey(pem);
  } catch {
    throw fileError(
      label,
      path,
      'has no private key that can be read; expected PEM, such as -----BEGIN PRIVATE KEY-----',
    );
  }
}

/** `2026-11-21 08:15:30 UTC`, as certificates say until when they are valid. */
export function formatUtc(date: Date): string {
  return date
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC');
}
