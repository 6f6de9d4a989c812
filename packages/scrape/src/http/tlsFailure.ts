import type { PeerCertificate } from 'node:tls';
import { formatUtc } from '../credentials/trust.ts';
import type { Failure, FailureReason } from './failure.ts';

type FailureDescription = Omit<Failure, 'cause'>;

const INSECURE = '--insecure accepts it';
const CA_FILE = '--ca-file FILE trusts its issuer';

/** Codes of Node and OpenSSL that are about what the server shows. */
const UNTRUSTED =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT(?:_LOCALLY)?|UNABLE_TO_VERIFY_LEAF_SIGNATURE|CERT_UNTRUSTED|CERT_CHAIN_TOO_LONG|INVALID_CA)$/;
/** What a server answers that speaks HTTP where TLS is expected. */
const NOT_TLS =
  /^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|HTTPS_PROXY_REQUEST|INVALID_RECORD)/;
/** What a server answers whom we are not enough for. */
const CLIENT_CERTIFICATE =
  /^ERR_SSL_(?:TLSV1\w*|SSLV3)_ALERT_(?:CERTIFICATE_\w+|BAD_CERTIFICATE|UNKNOWN_CA|NO_CERTIFICATE|UNSUPPORTED_CERTIFICATE)/;

/** Whether a failure is describe better with the certificate that the server shows. */
export function isAboutCertificate(code: string): boolean {
  return UNTRUSTED.test(code) || code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID';
}

/** What went wrong in TLS with a host, in a word and for people. `certificate` is the certificate that the host shows, if known. */
export function tlsFailure(
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
    const advice = `scrape http://${host} if that is right`;
    return describe('tls_not_spoken', `host ${hostname} answers without TLS, maybe in plain HTTP; ${advice}`);
  }
  if (CLIENT_CERTIFICATE.test(code)) {
    const alert = code
      .replace(/^ERR_SSL_\w+?_ALERT_/, '')
      .toLowerCase()
      .replaceAll('_', ' ');
    const expected = 'expected a certificate in --cert-file and --key-file that it accepts';
    return describe(
      'tls_client_certificate',
      `host ${hostname} wants to know who we are (${alert}); ${expected}`,
    );
  }
  return describe('tls', `${extractReason(error)}`);
}

/** A server that was asked in plain HTTP and wants TLS. */
export function tlsRequired(url: string): FailureDescription {
  const { host } = new URL(url);
  return {
    reason: 'tls_required',
    message: `was asked in plain HTTP and speaks TLS; scrape https://${host}`,
  };
}

function describeValidity(
  code: string,
  hostname: string,
  certificate: PeerCertificate | undefined,
): FailureDescription {
  const isExpired = code === 'CERT_HAS_EXPIRED';
  const of = `certificate of host ${hostname}`;
  const is = isExpired ? 'expired' : 'not valid yet';
  if (!certificate)
    return describe('tls_expired', `${of}, or that of an issuer behind it, is ${is}; ${INSECURE}`);
  const date = new Date(isExpired ? certificate.valid_to : certificate.valid_from);
  const isLeaf = isExpired ? date.getTime() < Date.now() : date.getTime() > Date.now();
  if (!isLeaf)
    return describe('tls_expired', `an issuer's certificate behind the ${of} is ${is}; ${INSECURE}`);
  const what = isExpired ? `expired on ${formatUtc(date)}` : `is not valid before ${formatUtc(date)}`;
  return describe('tls_expired', `${of} ${what}; ${INSECURE}`);
}

function describeUntrusted(
  code: string,
  hostname: string,
  certificate: PeerCertificate | undefined,
): FailureDescription {
  const of = `certificate of host ${hostname}`;
  if (code === 'DEPTH_ZERO_SELF_SIGNED_CERT')
    return describe('tls_untrusted', `${of} is self-signed; ${INSECURE}, --ca-file FILE trusts it`);
  const issuer = certificate?.issuer?.CN ?? certificate?.issuer?.O;
  const by = issuer === undefined ? 'somebody' : JSON.stringify(String(issuer).slice(0, 80));
  return describe(
    'tls_untrusted',
    `${of} is issued by ${by}, whom nobody here trusts; ${INSECURE}, ${CA_FILE}`,
  );
}

/** The names that a certificate is for, some of them. */
function describeWrongHost(error: Error, hostname: string): FailureDescription {
  const { cert } = error as { cert?: PeerCertificate };
  const names = (cert?.subjectaltname ?? '')
    .split(', ')
    .filter(name => name !== '')
    .map(name => name.replace(/^(?:DNS|IP Address):/, '').slice(0, 80));
  const common = cert?.subject?.CN;
  const known = names.length > 0 ? names : common === undefined ? [] : [String(common).slice(0, 80)];
  const some = known.slice(0, 4).join(', ') + (known.length > 4 ? ` and ${known.length - 4} more` : '');
  const is = known.length > 0 ? `is for ${some}` : 'names no host';
  return describe(
    'tls_wrong_host',
    `certificate of host ${hostname} ${is}; expected ${hostname}; ${INSECURE}`,
  );
}

/** The reason out of a line of OpenSSL's: `error:0A000410:SSL routines::sslv3 alert handshake failure:../deps/...`. */
function extractReason(error: Error): string {
  const { reason } = error as { reason?: string };
  return (reason ?? error.message).slice(0, 200).trim();
}

function describe(reason: FailureReason, message: string): FailureDescription {
  return { reason, message: `failed in TLS: ${message}` };
}
