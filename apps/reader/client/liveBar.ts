import type { LiveStatus } from '../src/watch/liveUpdate.ts';
import { createElement } from './element.ts';

/** The name of the file that "Save report" writes. */
const REPORT = 'report.html';
const FILE_NAME = 'server_metrics_report.html';
/** A run that did not write anything for this time is described as silent, in milliseconds. */
const SILENCE_MS = 10_000;
/** Statistics that are older than the other data by this time are mentioned, in milliseconds. */
const LATE_STATISTICS_MS = 2500;

/** The bar that shows the state of an active run, the age of its data, and the button that saves the page. */
export class LiveBar {
  readonly #box = document.getElementById('live')!;
  readonly #state = document.getElementById('live-state')!;
  readonly #age = document.getElementById('live-age')!;
  readonly #save = createElement('a', { class: 'button', href: REPORT, download: FILE_NAME }, 'Save report');
  #status: LiveStatus;
  #receivedMs = performance.now();
  #isLost = false;

  constructor(status: LiveStatus, choice: HTMLElement) {
    this.#status = status;
    document.getElementById('live-actions')!.append(choice, this.#save);
    this.show(status);
    setInterval(() => this.#showAge(), 1000);
  }

  show(status: LiveStatus): void {
    this.#status = status;
    this.#receivedMs = performance.now();
    this.#isLost = false;
    // A text that did not change is not announced again.
    if (this.#state.textContent !== status.text) this.#state.textContent = status.text;
    this.#box.className = `live ${status.kind}`;
    this.#showAge();
  }

  /** Says that the server of the page does not answer. */
  showLost(): void {
    if (this.#status.isFinal) return;
    this.#isLost = true;
    this.#showAge();
  }

  /** Loads the report, so that it can be saved after the server of the page has stopped. */
  async keepReport(): Promise<void> {
    const response = await fetch(REPORT).catch(() => undefined);
    if (response?.ok) this.#save.href = URL.createObjectURL(await response.blob());
  }

  #showAge(): void {
    const { kind, ageMs, silentMs, statisticsAgeMs = 0 } = this.#status;
    const age = ageMs + performance.now() - this.#receivedMs;
    const seconds = formatSeconds(age);
    if (kind === 'ended') this.#age.textContent = '';
    else if (this.#isLost)
      this.#age.textContent = `The connection to the server of this page is lost. The data is ${seconds} old.`;
    else if (kind === 'silent' || silentMs > SILENCE_MS)
      this.#age.textContent = `Nothing was written for ${formatSeconds(silentMs)}.`;
    else {
      const statistics =
        statisticsAgeMs < LATE_STATISTICS_MS
          ? ''
          : ` Statistics of servers are up to ${formatSeconds(age + statisticsAgeMs)} old.`;
      this.#age.textContent = `The data is ${seconds} old.${statistics}${describePace(this.#status)}`;
    }
  }
}

/** Describes the time between updates and its reason; empty below 1.5 s. */
function describePace({ intervalMs, isBusy }: LiveStatus): string {
  if (intervalMs < 1500) return '';
  const reason = isBusy ? 'no CPU is free' : 'updates take long to compute';
  return ` Updates every ${formatSeconds(intervalMs)}, because ${reason}.`;
}

function formatSeconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}
