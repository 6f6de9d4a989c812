import { redactUrl } from '@org/core';
import type { Reading } from '../exposition/bodyState.ts';
import type { Failure } from '../http/failure.ts';
import type { AddressChange } from './health.ts';
import type { TargetSecrets } from './targetSecrets.ts';

/** A change of an endpoint that is reported to the user. */
export interface EndpointEvent {
  readonly kind:
    | 'url_changed'
    | 'duplicate'
    | 'disabled'
    | 'failing'
    | 'recovered'
    | 'flapping'
    | 'reset'
    | 'address_changed'
    | 'bad_lines'
    | 'dropped_samples'
    | 'unsupported_types'
    | 'slow';
  readonly url: string;
  readonly message: string;
}

/**
 * Formats and reports the events of one endpoint. Events that may recur at every scrape are reported only the
 * first time; the endpoint's health counts them all.
 */
export class EndpointEventReporter {
  readonly #secrets: TargetSecrets;
  readonly #onEvent: (event: EndpointEvent) => void;
  readonly #reported = new Set<string>();
  #url: string;

  constructor(url: string, secrets: TargetSecrets, onEvent: (event: EndpointEvent) => void = () => {}) {
    this.#url = url;
    this.#secrets = secrets;
    this.#onEvent = onEvent;
  }

  /** Reports that metrics were found at another URL, which later events then refer to. */
  reportUrlChange(page: string, { message }: Failure, url: string): void {
    this.#report('url_changed', `endpoint '${redactUrl(page)}' ${message}; scraping ${url} instead`);
    this.#url = url;
  }

  reportDuplicate(message: string): void {
    this.#report('duplicate', `endpoint '${this.#url}' ${message}; scraping it only once`);
  }

  /**
   * Reports that the endpoint is disabled. `page` is the last URL tried: the endpoint's own, its fallback or
   * an alternative.
   */
  reportDisabled(page: string, { message }: Failure): void {
    const advice = 'To suppress this warning, pass --no-server-metrics.';
    const what = `Disabling server metrics collection for ${this.#url}`;
    this.#report('disabled', `${what}: endpoint '${redactUrl(page)}' ${message}. ${advice}`);
  }

  reportFailure({ message }: Failure): void {
    this.#report('failing', `endpoint '${this.#url}' ${message}; retrying`);
  }

  /**
   * Reports a recovery, or with `isFirst` the first success after failures. While the endpoint is flapping,
   * only one event is reported.
   */
  reportRecovery(isFirst: boolean, isFlapping: boolean): void {
    if (!isFlapping)
      this.#report('recovered', `endpoint '${this.#url}' ${isFirst ? 'is now reachable' : 'has recovered'}`);
    else this.#reportOnce('flapping', 'is flapping; further changes are counted, not logged');
  }

  /** Reports a reset of `counters` counters; 0 if only the process start time changed. */
  reportReset(counters: number): void {
    const what =
      counters === 0
        ? 'has a new process start time, because its server restarted'
        : `reset ${formatCount(counters, 'counter')}, probably because the server restarted`;
    this.#reportOnce('reset', `${what}; all resets are recorded in the export`);
  }

  reportAddressChange({ from, to }: AddressChange): void {
    this.#reportOnce('address_changed', `now resolves to ${to} instead of ${from}`);
  }

  /** Reports the parts of a body that are not recorded. */
  reportOmissions({ badLines, badLineCount, dropped, omitted }: Reading): void {
    const bad = badLines[0];
    if (bad)
      this.#reportOnce(
        'bad_lines',
        this.#secrets.redactText(
          `sent ${formatCount(badLineCount, 'invalid line')} in one body, which ${badLineCount === 1 ? 'is' : 'are'} skipped; the first is line ${bad.line}: ${bad.reason}`,
        ),
      );
    if (dropped > 0)
      this.#reportOnce(
        'dropped_samples',
        `sent NaN or infinite values; ${formatCount(dropped, 'sample')} dropped`,
      );
    if (omitted.unsupported.length > 0)
      this.#reportOnce(
        'unsupported_types',
        `returned metrics of unsupported types, which are not recorded: ${omitted.unsupported.join(', ')}`,
      );
  }

  #reportOnce(kind: EndpointEvent['kind'], message: string): void {
    if (this.#reported.has(kind)) return;
    this.#reported.add(kind);
    this.#report(kind, `endpoint '${this.#url}' ${message}`);
  }

  #report(kind: EndpointEvent['kind'], message: string): void {
    this.#onEvent({ kind, url: this.#url, message });
  }
}

function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
