import { createHash, createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { CredentialFileError, readCredentialFile } from './credentialFile.ts';

/** The TLS settings of connections to one target. */
export interface TlsConfig {
  /** Trusted CA certificates and the client certificate; undefined for Node's defaults. */
  readonly context?: SecureContext;
  /** True to skip verification of the server certificate. */
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

/** The contents of validated TLS files, as options of `tls.connect`. */
export interface TlsCredentials {
  /** All CA certificates to trust, including the default ones; undefined without a CA file. */
  readonly ca?: readonly string[];
  readonly cert?: string;
  readonly key?: string;
}

/**
 * Reads and validates TLS files and builds the TLS settings of a connection. Throws `CredentialFileError` if
 * a file is missing or invalid.
 */
export function readTlsConfig({ insecure, ...files }: TlsConfigOptions): TlsConfig {
  const credentials = readTlsFiles(files);
  if (!credentials.ca && !credentials.cert) return { insecure: insecure === true };
  return { context: getContext(credentials), insecure: insecure === true };
}

/** Contexts by a hash of their credentials. A context with all default certificates takes tens of milliseconds and about a megabyte. */
const contexts = new Map<string, SecureContext>();

/** Returns the context of these credentials, which all connections with the same files share. */
function getContext(credentials: TlsCredentials): SecureContext {
  const key = createHash('sha256').update(JSON.stringify(credentials)).digest('base64');
  const { ca, ...identity } = credentials;
  const context = contexts.get(key) ?? createSecureContext({ ...identity, ...(ca ? { ca: [...ca] } : {}) });
  contexts.set(key, context);
  return context;
}

/**
 * Reads and validates TLS files. The result can be sent to another thread, unlike a `SecureContext`. Throws
 * `CredentialFileError` if a file is missing or invalid.
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
      : { ca: [...listDefaultCaCertificates(), ...readCertificates('CA file', caFile)] }),
    ...(certFile === undefined ? {} : readIdentity(certFile, keyFile!)),
  };
}

/**
 * Returns the CA certificates that Node trusts by default: the bundled ones and those in the file that
 * NODE_EXTRA_CA_CERTS names. They must be repeated in a `ca` option, which replaces the defaults.
 */
function listDefaultCaCertificates(): readonly string[] {
  const extraCaFile = process.env.NODE_EXTRA_CA_CERTS;
  try {
    return extraCaFile ? [...rootCertificates, readFileSync(extraCaFile, 'utf8')] : rootCertificates;
  } catch {
    return rootCertificates;
  }
}

const PEM_CERTIFICATE_PATTERN =
  /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]+-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g;

/**
 * Returns the certificates in a PEM file. Throws `CredentialFileError` if the file cannot be read, contains
 * no certificate, or contains an invalid certificate.
 */
function readCertificates(label: string, path: string): readonly string[] {
  const certificates = readCredentialFile(label, path).match(PEM_CERTIFICATE_PATTERN) ?? [];
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

/**
 * Reads the client certificate and its private key. Throws `CredentialFileError` if one of them is missing or
 * invalid, if they do not match, or if the certificate has expired.
 */
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
      `the key does not match the certificate in ${JSON.stringify(certFile)}`,
    );
  return { cert: readCredentialFile(label, certFile), key };
}

/** Parses a private key. OpenSSL's error message is not passed on, because it may quote the key. */
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

/** Formats a date as in `2026-11-21 08:15:30 UTC`. */
export function formatUtc(date: Date): string {
  return date
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC');
}
