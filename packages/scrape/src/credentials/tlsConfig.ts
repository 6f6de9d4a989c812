import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { CredentialFileError, readCredentialFile } from './credentialFile.ts';

/** The TLS settings of connections to one target. */
export interface TlsConfig {
  /** Trusted CA certificates and the client certificate; undefined for the defaults of Node. */
  readonly context?: SecureContext;
  /** Skips certificate verification. */
  readonly insecure: boolean;
}

/** Paths of PEM files for TLS. */
export interface TlsFiles {
  /** CA certificates to trust in addition to the default ones. */
  readonly caFile?: string;
  /** The client certificate, followed by its intermediate certificates. Requires `keyFile`. */
  readonly certFile?: string;
  /** The private key of the client certificate. */
  readonly keyFile?: string;
}

export interface TlsConfigOptions extends TlsFiles {
  readonly insecure?: boolean;
}

/** The contents of validated TLS files, as `tls.connect` takes them. */
export interface TlsCredentials {
  /** All CA certificates to trust, including the default ones; undefined without a CA file. */
  readonly ca?: readonly string[];
  readonly cert?: string;
  readonly key?: string;
}

/**
 * Reads and validates TLS files. Throws `CredentialFileError`, which names the file and what was expected of
 * it.
 */
export function readTlsConfig({ insecure, ...files }: TlsConfigOptions): TlsConfig {
  const { ca, ...identity } = readTlsFiles(files);
  if (!ca && !identity.cert) return { insecure: insecure === true };
  return {
    context: createSecureContext({ ...identity, ...(ca ? { ca: [...ca] } : {}) }),
    insecure: insecure === true,
  };
}

/**
 * Reads and validates TLS files without building a `SecureContext`, for use in another thread. Throws
 * `CredentialFileError`.
 */
export function readTlsFiles({ caFile, certFile, keyFile }: TlsFiles): TlsCredentials {
  if ((certFile === undefined) !== (keyFile === undefined)) {
    const [present, missing] = certFile === undefined ? ['key', 'certificate'] : ['certificate', 'key'];
    throw new CredentialFileError(
      `client ${present} file`,
      (certFile ?? keyFile)!,
      `requires a client ${missing} file`,
    );
  }
  return {
    ...(caFile === undefined
      ? {}
      : { ca: [...listDefaultIssuers(), ...readCertificates('CA file', caFile)] }),
    ...(certFile === undefined ? {} : readIdentity(certFile, keyFile!)),
  };
}

/**
 * Returns the CA certificates that Node trusts by default, which a `ca` option replaces: its own list and
 * NODE_EXTRA_CA_CERTS.
 */
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

/** Returns the certificates of a PEM file after checking that each one can be parsed. */
function readCertificates(label: string, path: string): readonly string[] {
  const certificates = readCredentialFile(label, path).match(PEM_CERTIFICATE) ?? [];
  if (certificates.length === 0)
    throw new CredentialFileError(
      label,
      path,
      'contains no certificate; expected PEM, which begins with -----BEGIN CERTIFICATE-----',
    );
  for (const [index, pem] of certificates.entries()) parseCertificate(label, path, pem, index);
  return certificates;
}

function parseCertificate(label: string, path: string, pem: string, index: number): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw new CredentialFileError(label, path, `certificate ${index + 1} is invalid; expected PEM`);
  }
}

function readIdentity(certFile: string, keyFile: string): { readonly cert: string; readonly key: string } {
  const label = 'client certificate file';
  const [first] = readCertificates(label, certFile);
  const certificate = parseCertificate(label, certFile, first!, 0);
  const validTo = new Date(certificate.validTo);
  if (validTo.getTime() < Date.now())
    throw new CredentialFileError(
      label,
      certFile,
      `the certificate expired on ${formatUtc(validTo)}; expected a valid certificate`,
    );
  const key = readCredentialFile('client key file', keyFile);
  if (!certificate.checkPrivateKey(parseKey(key, keyFile)))
    throw new CredentialFileError(
      'client key file',
      keyFile,
      `the key does not belong to the certificate in ${JSON.stringify(certFile)}`,
    );
  return { cert: readCredentialFile(label, certFile), key };
}

/** Parses a private key. The error of OpenSSL is not reported, because it may quote the file. */
function parseKey(pem: string, path: string): KeyObject {
  const label = 'client key file';
  if (/ENCRYPTED/.test(pem))
    throw new CredentialFileError(
      label,
      path,
      'the key is protected by a passphrase; expected a key without a passphrase',
    );
  try {
    return createPrivateKey(pem);
  } catch {
    throw new CredentialFileError(
      label,
      path,
      'contains no readable private key; expected PEM, which begins with -----BEGIN PRIVATE KEY-----',
    );
  }
}

/** Formats the validity date of a certificate, as in `2026-11-21 08:15:30 UTC`. */
export function formatUtc(date: Date): string {
  return date
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC');
}
