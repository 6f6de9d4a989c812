import type { Reading } from './exposition/reader.ts';
import type { Failure } from './failure.ts';
import type { AddressChange } from './health.ts';
import type { SecretMask } from './mask.ts';
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
export class EndpointNews {
  readonly #mask: SecretMask;
  readonly #onEvent: (event: EndpointEvent) => void;
  readonly #told = new Set<string>();
  #url: string;

  constructor(url: string, mask: SecretMask, onEvent: (event: EndpointEvent) => void = () => {}) {
    this.#url = url;
    this.#mask = mask;
    this.#onEvent = onEvent;
  }

  /** The page that failed is left for `url`, which all that comes is told of. */
  swapped(page: string, { message }: Failure, url: string): void {
    this.#tell('swapped', `endpoint '${hidePassword(page)}' ${message}; scraping ${url} instead`);
    this.#url = url;
  }

  duplicate(message: string): void {
    this.#tell('duplicate', `endpoint '${this.#url}' ${message}; it is scraped once`);
  }

  /** `page` is the one that was looked at last; behind a fallback or an alternative it is not the endpoint's own. */
  disabled(page: string, { message }: Failure): void {
    const advice = 'To suppress this warning, pass --no-server-metrics.';
    const what = `Disabling server metrics collection for ${this.#url}`;
    this.#tell('disabled', `${what}: endpoint '${hidePassword(page)}' ${message}. ${advice}`);
  }

  lost({ message }: Failure): void {
    this.#tell('lost', `endpoint '${this.#url}' ${message}; it is tried again`);
  }

  /** There is data again, or, `late`, for the first time. Of an endpoint that comes and goes, each time would be told at length. */
  back(late: boolean, isFlapping: boolean): void {
    if (!isFlapping) this.#tell('back', `endpoint '${this.#url}' is ${late ? 'there now' : 'back'}`);
    else this.#once('flapping', 'gives data and fails by turns; this is counted and not said each time');
  }

  /** `counters` fell; 0 of them where its process says that it is another one. */
  reset(counters: number): void {
    const what = counters === 0 ? 'its process began anew' : `${counters} counter(s) began again`;
    this.#once('reset', `${what}, as after a restart of the server; every time stands in the export`);
  }

  moved({ from, to }: AddressChange): void {
    this.#once('moved', `its name leads to ${to} now, and led to ${from} before`);
  }

  /** What of a body could not be used. */
  losses({ badLines, badLineCount, dropped, left }: Reading): void {
    const bad = badLines[0];
    if (bad)
      this.#once(
        'bad_lines',
        this.#mask.text(`${badLineCount} line(s) left out, the first: line ${bad.line}: ${bad.reason}`),
      );
    if (dropped > 0) this.#once('dropped', `${dropped} sample(s) without a finite value left out`);
    if (left.unsupported.length > 0)
      this.#once('left_out', `no statistics for ${left.unsupported.join(', ')}`);
  }

  #once(kind: EndpointEvent['kind'], message: string): void {
    if (this.#told.has(kind)) return;
    this.#told.add(kind);
    this.#tell(kind, `endpoint '${this.#url}': ${message}`);
  }

  #tell(kind: EndpointEvent['kind'], message: string): void {
    this.#onEvent({ kind, url: this.#url, message });
  }
}
