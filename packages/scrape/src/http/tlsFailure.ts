import type { PeerCertificate } from 'node:tls';
import { formatUtc } from '../credentials/tlsConfig.ts';
import type { Failure, FailureReason } from './failure.ts';

type FailureDescription = Omit<Failure, 'cause'>;

const INSECURE_ADVICE = 'use --insecure to accept it';

/** Error codes of certificates that were not issued by a trusted CA. */
const UNTRUSTED_CODE =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT(?:_LOCALLY)?|UNABLE_TO_VERIFY_LEAF_SIGNATURE|CERT_UNTRUSTED|CERT_CHAIN_TOO_LONG|INVALID_CA)$/;
/** Error codes of handshakes with a server that does not use TLS. */
const NOT_TLS_CODE =
  /^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|HTTPS_PROXY_REQUEST|INVALID_RECORD)/;
/**
 * Error codes of alerts from a server that requires a client certificate or rejects the client certificate.
 */
const CLIENT_CERTIFICATE_CODE =
  /^ERR_SSL_(?:TLSV1\w*|SSLV3)_ALERT_(?:CERTIFICATE_\w+|BAD_CERTIFICATE|UNKNOWN_CA|NO_CERTIFICATE|UNSUPPORTED_CERTIFICATE)/;

/** Reports whether the message for an error code needs details of the server's certificate. */
export function isAboutCertificate(code: string): boolean {
  return UNTRUSTED_CODE.test(code) || code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID';
}

/** Describes a TLS failure. `certificate` is the server's certificate; undefined if unknown. */
export function describeTlsFailure(
  error: Error,
  url: string,
  certificate: PeerCertificate | undefined,
): FailureDescription {
  const code = String((error as NodeJS.ErrnoException).code ?? '');
  const { hostname, host } = new URL(url);
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return describeValidity(code, hostname, certificate);
  if (UNTRUSTED_CODE.test(code)) {
    const isExpired = certificate !== undefined && new Date(certificate.valid_to).getTime() < Date.now();
    return isExpired
      ? describeValidity('CERT_HAS_EXPIRED', hostname, certificate)
      : describeUntrusted(code, hostname, certificate);
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return describeWrongHost(error, hostname);
  if (NOT_TLS_CODE.test(code)) {
    const advice = `use http://${host}`;
    return createDescription('tls_not_spoken', `host ${hostname} does not support TLS; ${advice}`);
  }
  if (CLIENT_CERTIFICATE_CODE.test(code)) {
    const alert = code
      .replace(/^ERR_SSL_\w+?_ALERT_/, '')
      .toLowerCase()
      .replaceAll('_', ' ');
    const expected = 'pass one that the server accepts with --cert-file and --key-file';
    return createDescription(
      'tls_client_certificate',
      `host ${hostname} requires a client certificate (${alert}); ${expected}`,
    );
  }
  return createDescription('tls', `${extractReason(error)}`);
}

/** Describes the failure of a plain HTTP request to a server that requires TLS. */
export function describeTlsRequired(url: string): FailureDescription {
  const { host } = new URL(url);
  return {
    reason: 'tls_required',
    message: `requires TLS but was scraped over plain HTTP; use https://${host}`,
  };
}

/** Describes a certificate that is expired or not yet valid: the server's own or an issuer's. */
function describeValidity(
  code: string,
  hostname: string,
  certificate: PeerCertificate | undefined,
): FailureDescription {
  const isExpired = code === 'CERT_HAS_EXPIRED';
  const subject = `certificate of host ${hostname}`;
  const state = isExpired ? 'expired' : 'not yet valid';
  if (!certificate)
    return createDescription(
      'tls_expired',
      `${subject}, or of an issuer in its chain, is ${state}; ${INSECURE_ADVICE}`,
    );
  const date = new Date(isExpired ? certificate.valid_to : certificate.valid_from);
  const isLeaf = isExpired ? date.getTime() < Date.now() : date.getTime() > Date.now();
  if (!isLeaf)
    return createDescription(
      'tls_expired',
      `an issuer certificate in the chain of the ${subject} is ${state}; ${INSECURE_ADVICE}`,
    );
  const problem = isExpired ? `expired on ${formatUtc(date)}` : `is not valid before ${formatUtc(date)}`;
  return createDescription('tls_expired', `${subject} ${problem}; ${INSECURE_ADVICE}`);
}

function describeUntrusted(
  code: string,
  hostname: string,
  certificate: PeerCertificate | undefined,
): FailureDescription {
  const subject = `certificate of host ${hostname}`;
  if (code === 'DEPTH_ZERO_SELF_SIGNED_CERT')
    return createDescription(
      'tls_untrusted',
      `${subject} is self-signed; ${INSECURE_ADVICE}, or --ca-file FILE to trust it`,
    );
  const issuer = certificate?.issuer?.CN ?? certificate?.issuer?.O;
  const issuerName = issuer === undefined ? 'an unknown issuer' : JSON.stringify(String(issuer).slice(0, 80));
  return createDescription(
    'tls_untrusted',
    `${subject} is issued by ${issuerName}, which is not a trusted CA; ${INSECURE_ADVICE}, or --ca-file FILE to trust its issuer`,
  );
}

/** Describes a certificate that was issued for other hosts. Lists up to four of the hosts. */
function describeWrongHost(error: Error, hostname: string): FailureDescription {
  const { cert } = error as { cert?: PeerCertificate };
  const names = (cert?.subjectaltname ?? '')
    .split(', ')
    .filter(name => name !== '')
    .map(name => name.replace(/^(?:DNS|IP Address):/, '').slice(0, 80));
  const commonName = cert?.subject?.CN;
  const hosts = names.length > 0 ? names : commonName === undefined ? [] : [String(commonName).slice(0, 80)];
  const listedHosts =
    hosts.slice(0, 4).join(', ') + (hosts.length > 4 ? ` and ${hosts.length - 4} more` : '');
  const state = hosts.length > 0 ? `was issued for ${listedHosts}` : 'names no host';
  return createDescription(
    'tls_wrong_host',
    `certificate of host ${hostname} ${state}; expected ${hostname}; ${INSECURE_ADVICE}`,
  );
}

/**
 * Returns the reason of an OpenSSL error. For `error:0A000410:SSL routines::sslv3 alert handshake
 * failure:../deps/...`, it is `sslv3 alert handshake failure`.
 */
function extractReason(error: Error): string {
  const { reason } = error as { reason?: string };
  return (reason ?? error.message).slice(0, 200).trim();
}

function createDescription(reason: FailureReason, message: string): FailureDescription {
  return { reason, message: `failed the TLS handshake: ${message}` };
}
