import { formatCount, redactUrl } from '@org/core';
import type { Reading } from '../exposition/bodyState.ts';
import type { Failure } from '../http/failure.ts';
import type { AddressChange } from './health.ts';
import type { DetectedReset } from './resetDetector.ts';
import type { TargetSecrets } from './targetSecrets.ts';

/** A change in an endpoint's state or data that is reported to the user. */
export interface EndpointEvent {
  readonly kind:
    | 'added'
    | 'removed'
    | 'returned'
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

/** Maximum number of removals of one endpoint to report. */
const MAX_REPORTED_REMOVALS = 5;

/**
 * Formats and reports the events of one endpoint. Kinds of events that may recur at every scrape are reported
 * only once; `EndpointHealth` counts all of them.
 */
export class EndpointEventReporter {
  readonly #secrets: TargetSecrets;
  readonly #onEvent: (event: EndpointEvent) => void;
  readonly #reported = new Set<string>();
  #url: string;
  #removals = 0;

  constructor(url: string, secrets: TargetSecrets, onEvent: (event: EndpointEvent) => void = () => {}) {
    this.#url = url;
    this.#secrets = secrets;
    this.#onEvent = onEvent;
  }

  /** Reports that a source has added the endpoint to an active run. */
  reportAdded(): void {
    this.#report('added', `endpoint '${this.#url}' was added; its period starts at its first sample`);
  }

  reportRemoved(): void {
    if (this.#removals++ < MAX_REPORTED_REMOVALS)
      this.#report('removed', `endpoint '${this.#url}' was removed; its samples are kept`);
  }

  /** Reports that a removed endpoint is listed again. Changes of an endpoint that comes and goes are logged five times. */
  reportReturned(): void {
    if (this.#removals < MAX_REPORTED_REMOVALS)
      this.#report('returned', `endpoint '${this.#url}' was added again`);
    else this.#reportOnce('returned', 'was added again; further changes are recorded, not logged');
  }

  /** Reports that `newUrl` is scraped instead of the failed `triedUrl`. Later events refer to `newUrl`. */
  reportUrlChange(triedUrl: string, { message }: Failure, newUrl: string): void {
    this.#report('url_changed', `endpoint '${redactUrl(triedUrl)}' ${message}; scraping ${newUrl} instead`);
    this.#url = newUrl;
  }

  reportDuplicate(message: string): void {
    this.#report('duplicate', `endpoint '${this.#url}' ${message}; scraping it only once`);
  }

  /**
   * Reports that the endpoint is disabled. `triedUrl` is the URL that failed: the endpoint's own, its
   * fallback or an alternative.
   */
  reportDisabled(triedUrl: string, { message }: Failure): void {
    const advice = 'To suppress this warning, pass --no-server-metrics.';
    const notice = `Disabling server metrics collection for ${this.#url}`;
    this.#report('disabled', `${notice}: endpoint '${redactUrl(triedUrl)}' ${message}. ${advice}`);
  }

  reportFailure({ message }: Failure): void {
    this.#report('failing', `endpoint '${this.#url}' ${message}; retrying`);
  }

  /**
   * Reports a successful scrape after failures; `isFirst` if no earlier scrape succeeded. Recoveries of a
   * flapping endpoint are not reported individually.
   */
  reportRecovery(isFirst: boolean, isFlapping: boolean): void {
    if (!isFlapping)
      this.#report('recovered', `endpoint '${this.#url}' ${isFirst ? 'is now reachable' : 'has recovered'}`);
    else this.#reportOnce('flapping', 'is flapping; further changes are counted, not logged');
  }

  /** Reports a restart of the server, or a counter reset for another reason. */
  reportReset({ counters, hasRestarted }: DetectedReset): void {
    const reset = hasRestarted
      ? 'has a new process start time, because its server restarted'
      : `reset ${formatCount(counters, 'counter')}`;
    this.#reportOnce('reset', `${reset}; all resets are recorded in the export`);
  }

  reportAddressChange({ from, to }: AddressChange): void {
    this.#reportOnce('address_changed', `now resolves to ${to} instead of ${from}`);
  }

  /** Reports the invalid lines, dropped samples and unsupported types of a body, none of which is recorded. */
  reportOmissions({ badLines, badLineCount, dropped, omitted }: Reading): void {
    const firstBadLine = badLines[0];
    if (firstBadLine)
      this.#reportOnce(
        'bad_lines',
        this.#secrets.redactText(
          `sent ${formatCount(badLineCount, 'invalid line')} in one body (skipped); the first is line ${firstBadLine.line}: ${firstBadLine.reason}`,
        ),
      );
    if (dropped > 0)
      this.#reportOnce(
        'dropped_samples',
        `sent NaN or infinite values, or incomplete histograms or summaries; ${formatCount(dropped, 'sample')} dropped`,
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
