import type { PeerCertificate } from 'node:tls';
import type { Lookup } from './connection.ts';
import type { Exchange } from './exchange.ts';
import { type Failure, toFailure } from './failure.ts';
import { type CertificateProbe, probeCertificate } from './peerCertificate.ts';
import { describeTlsFailure, describeTlsRequired, isAboutCertificate } from './tlsFailure.ts';

/** Maximum number of connections to diagnose one kind of failure. A single one may time out on a busy machine. */
const MAX_PROBES = 3;

interface ProbeHistory {
  readonly key: string;
  probes: number;
  last: CertificateProbe | undefined;
}

/**
 * Finds the cause of a failure that is ambiguous by itself. It fetches the certificate of a server whose TLS
 * handshake failed, and checks whether a server that does not respond over plain HTTP requires TLS. A result is
 * reused until a scrape succeeds, and the number of unsuccessful probes is limited.
 */
export class FailureDiagnosis {
  readonly #lookup: Lookup | undefined;
  #history: ProbeHistory | undefined;

  constructor(lookup?: Lookup) {
    this.#lookup = lookup;
  }

  /** Forgets past probes, because the next failure may have another cause. Called after each success. */
  clear(): void {
    this.#history = undefined;
  }

  /** Converts an error to a failure. */
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

  /** Returns the certificate that the server presents, probing it unless the result is known. */
  async #probe(kind: string, url: string): Promise<PeerCertificate | undefined> {
    const key = `${kind} ${url}`;
    if (this.#history?.key !== key) this.#history = { key, probes: 0, last: undefined };
    const history = this.#history;
    if (history.probes < MAX_PROBES && canLearnMore(history.last, url)) {
      history.probes += 1;
      history.last = await probeCertificate(url, this.#lookup);
    }
    return history.last?.certificate;
  }
}

/**
 * Reports whether another probe may yield more: a TLS server always has a certificate, and a plain one that
 * responded has none.
 */
function canLearnMore(last: CertificateProbe | undefined, url: string): boolean {
  if (!last) return true;
  return last.certificate === undefined && (last.hasTimedOut || url.startsWith('https:'));
}

/** Returns the first error in the cause chain that has a code. */
function findTlsError(error: unknown): Error {
  let root = error as Error;
  while (root.cause instanceof Error && (root as NodeJS.ErrnoException).code === undefined) root = root.cause;
  return root;
}
