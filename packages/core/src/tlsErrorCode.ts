/** Codes of errors in certificates (X509_V_ERR of OpenSSL, without the prefix), and of TLS itself. */
const TLS_ERROR_CODE =
  /^(?:ERR_TLS|ERR_SSL|CERT_|CRL_|DEPTH_ZERO|UNABLE_TO|SELF_SIGNED|ERROR_IN_|(?:INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH|EPROTO)$)/;

/** Reports whether the code of a connection error is about TLS, such as an untrusted certificate. */
export function isTlsErrorCode(code: string): boolean {
  return TLS_ERROR_CODE.test(code);
}
