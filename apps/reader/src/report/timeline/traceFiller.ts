import type { Run, RunFamily } from '@org/analysis';
import { readInterval } from './runAxes.ts';
import { getTraceKind, type RunTraces } from './runTraces.ts';
import { SampleHistories } from './sampleHistory.ts';
import type { SeriesSample } from './sampleSource.ts';
import { createTrace, ObservationTrace, type TraceKind } from './trace.ts';

/** Adds samples to the traces of their series. */
export class TraceFiller {
  readonly #traces: RunTraces;
  readonly #kinds: ReadonlyMap<string, TraceKind>;
  readonly #endpoints: ReadonlyMap<string, string>;
  readonly #histories: SampleHistories;

  /** @param areRaw whether samples are values of the server, and not increases since the start of profiling */
  constructor(run: Run, families: readonly RunFamily[], traces: RunTraces, areRaw: boolean) {
    this.#traces = traces;
    this.#kinds = new Map(families.map(family => [family.name, getTraceKind(family)!]));
    this.#endpoints = new Map(run.endpoints.map(({ url, name }) => [url, name]));
    this.#histories = new SampleHistories(run, traces.startNs, areRaw);
    for (const { series } of families) this.#histories.addCreated(series, readInterval(run));
  }

  /** The names of the metrics. */
  get names(): ReadonlySet<string> {
    return new Set(this.#kinds.keys());
  }

  /** Adds a sample. The samples of a series must be added in order of time. */
  add({ name, endpointUrl, labels, sample }: SeriesSample): void {
    const endpoint = this.#endpoints.get(endpointUrl) ?? endpointUrl;
    const { trace, slices } = this.#traces.getOrCreate(name, endpoint, labels, () => {
      const history = this.#histories.get(name, endpointUrl, labels);
      const kind = this.#kinds.get(name)!;
      const { axis, sliceAxis } = this.#traces;
      return {
        trace: createTrace(kind, axis, history),
        ...(kind === 'observations' && { slices: new ObservationTrace(sliceAxis, history, true) }),
      };
    });
    trace.add(sample);
    slices?.add(sample);
  }
}
