import type { PeerCertificate } from 'node:tls';
import { formatUtc } from '../credentials/tlsConfig.ts';
import type { Failure, FailureReason } from './failure.ts';

type FailureDescription = Omit<Failure, 'cause'>;

const INSECURE = 'use --insecure to accept it';

/** Error codes for certificates that no trusted CA has issued. */
const UNTRUSTED =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT(?:_LOCALLY)?|UNABLE_TO_VERIFY_LEAF_SIGNATURE|CERT_UNTRUSTED|CERT_CHAIN_TOO_LONG|INVALID_CA)$/;
/** Error codes of servers that respond without TLS. */
const NOT_TLS =
  /^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|HTTPS_PROXY_REQUEST|INVALID_RECORD)/;
/** Alerts of servers that require a client certificate, or reject the one that was sent. */
const CLIENT_CERTIFICATE =
  /^ERR_SSL_(?:TLSV1\w*|SSLV3)_ALERT_(?:CERTIFICATE_\w+|BAD_CERTIFICATE|UNKNOWN_CA|NO_CERTIFICATE|UNSUPPORTED_CERTIFICATE)/;

/** Reports whether the server's certificate helps to explain an error. */
export function isAboutCertificate(code: string): boolean {
  return UNTRUSTED.test(code) || code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID';
}

/** Describes a TLS failure. `certificate` is the server's certificate, if known. */
export function describeTlsFailure(
  error: Error,
  url: string,
  certificate: PeerCertificate | undefined,
): FailureDescription {
  const code = String((error as NodeJS.ErrnoException).code ?? '');
  const { hostname, host } = new URL(url);
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID')
    return describeValidity(code, hostname, certificate);
  if (UNTRUSTED.test(code)) {
    const isExpired = certificate !== undefined && new Date(certificate.valid_to).getTime() < Date.now();
    return isExpired
      ? describeValidity('CERT_HAS_EXPIRED', hostname, certificate)
      : describeUntrusted(code, hostname, certificate);
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return describeWrongHost(error, hostname);
  if (NOT_TLS.test(code)) {
    const advice = `use http://${host}`;
    return describe('tls_not_spoken', `host ${hostname} does not support TLS; ${advice}`);
  }
  if (CLIENT_CERTIFICATE.test(code)) {
    const alert = code
      .replace(/^ERR_SSL_\w+?_ALERT_/, '')
      .toLowerCase()
      .replaceAll('_', ' ');
    const expected = 'pass one that the server accepts with --cert-file and --key-file';
    return describe(
      'tls_client_certificate',
      `host ${hostname} requires a client certificate (${alert}); ${expected}`,
    );
  }
  return describe('tls', `${extractReason(error)}`);
}

/** Describes the failure of plain HTTP to a server that requires TLS. */
export function describeTlsRequired(url: string): FailureDescription {
  const { host } = new URL(url);
  return {
    reason: 'tls_required',
    message: `requires TLS but was scraped over plain HTTP; use https://${host}`,
  };
}

function describeValidity(
  code: string,
  hostname: string,
  certificate: PeerCertificate | undefined,
): FailureDescription {
  const isExpired = code === 'CERT_HAS_EXPIRED';
  const subject = `certificate of host ${hostname}`;
  const state = isExpired ? 'expired' : 'not yet valid';
  if (!certificate)
    return describe('tls_expired', `${subject}, or of an issuer in its chain, is ${state}; ${INSECURE}`);
  const date = new Date(isExpired ? certificate.valid_to : certificate.valid_from);
  const isLeaf = isExpired ? date.getTime() < Date.now() : date.getTime() > Date.now();
  if (!isLeaf)
    return describe(
      'tls_expired',
      `an issuer certificate in the chain of the ${subject} is ${state}; ${INSECURE}`,
    );
  const problem = isExpired ? `expired on ${formatUtc(date)}` : `is not valid before ${formatUtc(date)}`;
  return describe('tls_expired', `${subject} ${problem}; ${INSECURE}`);
}

function describeUntrusted(
  code: string,
  hostname: string,
  certificate: PeerCertificate | undefined,
): FailureDescription {
  const subject = `certificate of host ${hostname}`;
  if (code === 'DEPTH_ZERO_SELF_SIGNED_CERT')
    return describe('tls_untrusted', `${subject} is self-signed; ${INSECURE}, or --ca-file FILE to trust it`);
  const issuer = certificate?.issuer?.CN ?? certificate?.issuer?.O;
  const by = issuer === undefined ? 'an unknown issuer' : JSON.stringify(String(issuer).slice(0, 80));
  return describe(
    'tls_untrusted',
    `${subject} is issued by ${by}, which is not a trusted CA; ${INSECURE}, or --ca-file FILE to trust its issuer`,
  );
}

/** Describes a certificate issued for other hosts, listing up to four of them. */
function describeWrongHost(error: Error, hostname: string): FailureDescription {
  const { cert } = error as { cert?: PeerCertificate };
  const names = (cert?.subjectaltname ?? '')
    .split(', ')
    .filter(name => name !== '')
    .map(name => name.replace(/^(?:DNS|IP Address):/, '').slice(0, 80));
  const commonName = cert?.subject?.CN;
  const known = names.length > 0 ? names : commonName === undefined ? [] : [String(commonName).slice(0, 80)];
  const listed = known.slice(0, 4).join(', ') + (known.length > 4 ? ` and ${known.length - 4} more` : '');
  const state = known.length > 0 ? `was issued for ${listed}` : 'names no host';
  return describe(
    'tls_wrong_host',
    `certificate of host ${hostname} ${state}; expected ${hostname}; ${INSECURE}`,
  );
}

/**
 * Returns the reason part of an OpenSSL error such as `error:0A000410:SSL routines::sslv3 alert handshake
 * failure:../deps/...`.
 */
function extractReason(error: Error): string {
  const { reason } = error as { reason?: string };
  return (reason ?? error.message).slice(0, 200).trim();
}

function describe(reason: FailureReason, message: string): FailureDescription {
  return { reason, message: `failed TLS: ${message}` };
}
