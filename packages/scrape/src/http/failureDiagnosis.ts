import type { PeerCertificate } from 'node:tls';
import type { Lookup } from './connection.ts';
import type { Exchange } from './exchange.ts';
import { type Failure, toFailure } from './failure.ts';
import { type CertificateProbe, probeCertificate } from './peerCertificate.ts';
import { describeTlsFailure, describeTlsRequired, isAboutCertificate } from './tlsFailure.ts';

/** Maximum number of probes for one kind of failure. A single probe may time out on a busy machine. */
const MAX_PROBES = 3;

/** The probes of one kind of failure. */
interface ProbeHistory {
  /** Kind of failure and URL. */
  readonly key: string;
  probes: number;
  last: CertificateProbe | undefined;
}

/**
 * Diagnoses failures whose error does not show the cause. If the server's certificate is untrusted, expired
 * or not yet valid, it is fetched. If a plain HTTP request gets status 400 or no HTTP response, a probe
 * checks whether the server requires TLS. A result is reused until a scrape succeeds or the failure changes,
 * and the number of inconclusive probes is limited.
 */
export class FailureDiagnosis {
  readonly #lookup: Lookup | undefined;
  #history: ProbeHistory | undefined;

  constructor(lookup?: Lookup) {
    this.#lookup = lookup;
  }

  /** Discards past probes after a successful scrape, because the next failure may have another cause. */
  clear(): void {
    this.#history = undefined;
  }

  /** Converts the error of an exchange to a failure with a diagnosed cause. */
  async diagnose(error: unknown, { url, hasResponse, status }: Exchange): Promise<Failure> {
    const failure = toFailure(error);
    const isSecure = url.startsWith('https:');
    const isNotHttp =
      failure.reason === 'not_http' || (failure.reason === 'connection_closed' && !hasResponse);
    // Go and nginx respond with status 400 to plain HTTP on a TLS port.
    const isBadRequest = status === 400;
    if (failure.reason === 'tls')
      return { ...failure, ...(await this.#describeTls(findTlsError(error), url)) };
    if (!isSecure && (isNotHttp || isBadRequest))
      return { ...failure, ...(await this.#describePlain(failure.reason, url)) };
    return failure;
  }

  async #describeTls(error: Error, url: string): Promise<Omit<Failure, 'cause'>> {
    const code = String((error as NodeJS.ErrnoException).code ?? '');
    const certificate = isAboutCertificate(code) ? await this.#probe(code, url) : undefined;
    return describeTlsFailure(error, url, certificate);
  }

  async #describePlain(reason: string, url: string): Promise<Omit<Failure, 'cause'> | undefined> {
    return (await this.#probe(reason, url)) ? describeTlsRequired(url) : undefined;
  }

  /** Returns the certificate that the server presents. Probes the server unless the result is known. */
  async #probe(kind: string, url: string): Promise<PeerCertificate | undefined> {
    const key = `${kind} ${url}`;
    if (this.#history?.key !== key) this.#history = { key, probes: 0, last: undefined };
    const history = this.#history;
    if (history.probes < MAX_PROBES && shouldProbe(history.last, url)) {
      history.probes += 1;
      history.last = await probeCertificate(url, this.#lookup);
    }
    return history.last?.certificate;
  }
}

/**
 * Reports whether another probe may return a certificate. A TLS server always has a certificate. A plain HTTP
 * server has none; one probe that fails without a timeout is enough to establish this.
 */
function shouldProbe(last: CertificateProbe | undefined, url: string): boolean {
  if (!last) return true;
  return last.certificate === undefined && (last.hasTimedOut || url.startsWith('https:'));
}

/** Returns the first error in the cause chain that has a code, or the last error if none has one. */
function findTlsError(error: unknown): Error {
  let tlsError = error as Error;
  while (tlsError.cause instanceof Error && (tlsError as NodeJS.ErrnoException).code === undefined)
    tlsError = tlsError.cause;
  return tlsError;
}
