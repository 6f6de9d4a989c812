import type { RunPageData } from '../src/report/page.ts';
import type { LivePageState, LiveUpdate } from '../src/watch/liveUpdate.ts';
import { LiveBar } from './liveBar.ts';
import { LiveTables } from './liveTables.ts';
import { LiveWindow } from './liveWindow.ts';
import { PhoneFolds } from './phoneFolds.ts';
import { addTables, listFurtherCharts, startCharts } from './runPage.ts';
import { SectionSwap } from './sectionSwap.ts';
import type { TimeCharts } from './timeCharts.ts';

/** The page of a run that is watched. It receives the changed parts as server-sent events. */
export class LivePage {
  #data: RunPageData;
  #version: number;
  #charts: TimeCharts | undefined;
  /** Created first, because it reads the page as it was written. */
  readonly #sections = new SectionSwap();
  readonly #tables: LiveTables;
  readonly #bar: LiveBar;
  readonly #window = new LiveWindow();
  readonly #folds = new PhoneFolds();

  constructor(data: RunPageData, { version, status }: LivePageState) {
    this.#data = data;
    this.#version = version;
    addTables(data);
    this.#tables = new LiveTables(data);
    this.#charts = this.#startCharts();
    this.#bar = new LiveBar(
      status,
      this.#window.createChoice(() => this.#chooseWindow()),
    );
  }

  follow(): void {
    const source = new EventSource(`events?after=${this.#version}`);
    source.addEventListener('sections', event => {
      const update = JSON.parse((event as MessageEvent<string>).data) as LiveUpdate;
      this.#apply(update);
      this.#bar.show(update.status);
      if (!update.status.isFinal) return;
      source.close();
      void this.#bar.keepReport();
    });
    source.addEventListener('error', () => this.#bar.showLost());
  }

  #apply(update: LiveUpdate): void {
    if (update.version === this.#version) return;
    this.#version = update.version;
    this.#sections.swap(update);
    document.title = `${document.querySelector('h1')!.textContent} · servelens report`;
    this.#folds.update();
    this.#data = omitNull({ ...this.#data, ...update.data });
    this.#addNewTables();
    this.#tables.update(this.#data);
    this.#updateCharts();
  }

  /** Adds tables whose data was not known before. */
  #addNewTables(): void {
    const { client, endpoints, series } = this.#data;
    if (!client || document.getElementById('client')) {
      const hasReconciliation = document.getElementById('client-and-server') !== null;
      if (!client?.reconciliation || hasReconciliation) return;
    }
    for (const table of document.querySelectorAll('#tables > details.fold')) table.remove();
    addTables({ client, endpoints, series });
  }

  #updateCharts(): void {
    const { timeline } = this.#data;
    if (!timeline || !document.getElementById('zoom')) return;
    this.#charts?.update(timeline, listFurtherCharts(this.#data));
    this.#charts ??= this.#startCharts();
    if (this.#charts) this.#window.follow(this.#charts.zoom, timeline);
  }

  #startCharts(): TimeCharts | undefined {
    return startCharts(this.#data, index => this.#tables.showRequest(index));
  }

  #chooseWindow(): void {
    if (this.#charts) this.#window.choose(this.#charts.zoom, this.#data.timeline!);
  }
}

/** Removes the fields that no longer exist. */
function omitNull(data: object): RunPageData {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null)) as RunPageData;
}
