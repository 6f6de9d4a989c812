import type { Reading } from '../exposition/expositionReader.ts';
import type { Failure } from '../http/failure.ts';
import type { AddressChange } from './health.ts';
import type { SecretMask } from './secretMask.ts';
import { hidePassword } from './target.ts';

/** Something that happened to an endpoint and that its user should hear of, once. */
export interface EndpointEvent {
  readonly kind:
    | 'swapped'
    | 'duplicate'
    | 'disabled'
    | 'lost'
    | 'back'
    | 'flapping'
    | 'reset'
    | 'moved'
    | 'bad_lines'
    | 'dropped'
    | 'left_out'
    | 'slow';
  readonly url: string;
  readonly message: string;
}

/**
 * What is told of one endpoint, in words. What may happen at every scrape is told the first time only; how often it did stands in
 * the endpoint's health.
 */
export class EndpointEventReporter {
  readonly #mask: SecretMask;
  readonly #onEvent: (event: EndpointEvent) => void;
  readonly #reported = new Set<string>();
  #url: string;

  constructor(url: string, mask: SecretMask, onEvent: (event: EndpointEvent) => void = () => {}) {
    this.#url = url;
    this.#mask = mask;
    this.#onEvent = onEvent;
  }

  /** The page that failed is left for `url`, which all that comes is told of. */
  reportSwap(page: string, { message }: Failure, url: string): void {
    this.#report('swapped', `endpoint '${hidePassword(page)}' ${message}; scraping ${url} instead`);
    this.#url = url;
  }

  reportDuplicate(message: string): void {
    this.#report('duplicate', `endpoint '${this.#url}' ${message}; it is scraped once`);
  }

  /** `page` is the one that was looked at last; behind a fallback or an alternative it is not the endpoint's own. */
  reportDisabled(page: string, { message }: Failure): void {
    const advice = 'To suppress this warning, pass --no-server-metrics.';
    const what = `Disabling server metrics collection for ${this.#url}`;
    this.#report('disabled', `${what}: endpoint '${hidePassword(page)}' ${message}. ${advice}`);
  }

  reportLost({ message }: Failure): void {
    this.#report('lost', `endpoint '${this.#url}' ${message}; it is tried again`);
  }

  /** There is data again, or, `isFirst`, for the first time. Of an endpoint that comes and goes, each time would be told at length. */
  reportRecovery(isFirst: boolean, isFlapping: boolean): void {
    if (!isFlapping) this.#report('back', `endpoint '${this.#url}' is ${isFirst ? 'there now' : 'back'}`);
    else
      this.#reportOnce('flapping', 'gives data and fails by turns; this is counted and not said each time');
  }

  /** `counters` fell; 0 of them where its process says that it is another one. */
  reportReset(counters: number): void {
    const what = counters === 0 ? 'its process began anew' : `${counters} counter(s) began again`;
    this.#reportOnce('reset', `${what}, as after a restart of the server; every time stands in the export`);
  }

  reportAddressChange({ from, to }: AddressChange): void {
    this.#reportOnce('moved', `its name leads to ${to} now, and led to ${from} before`);
  }

  /** What of a body could not be used. */
  reportOmissions({ badLines, badLineCount, dropped, left }: Reading): void {
    const bad = badLines[0];
    if (bad)
      this.#reportOnce(
        'bad_lines',
        this.#mask.text(`${badLineCount} line(s) left out, the first: line ${bad.line}: ${bad.reason}`),
      );
    if (dropped > 0) this.#reportOnce('dropped', `${dropped} sample(s) without a finite value left out`);
    if (left.unsupported.length > 0)
      this.#reportOnce('left_out', `no statistics for ${left.unsupported.join(', ')}`);
  }

  #reportOnce(kind: EndpointEvent['kind'], message: string): void {
    if (this.#reported.has(kind)) return;
    this.#reported.add(kind);
    this.#report(kind, `endpoint '${this.#url}': ${message}`);
  }

  #report(kind: EndpointEvent['kind'], message: string): void {
    this.#onEvent({ kind, url: this.#url, message });
  }
}
