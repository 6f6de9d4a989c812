import { type EndedRequest, ProfileMetrics, type RequestMetrics, SliceMetrics } from '@org/loadgen';
import type { PhaseName } from './phasePosition.ts';

type MetricsOptions = ConstructorParameters<typeof ProfileMetrics>[0];

/** The metrics of a run by phase. Only profiling has timeslices. */
export class RunMetrics {
  readonly profiling: ProfileMetrics;
  readonly warmup: ProfileMetrics;
  /** Undefined if the run has no timeslices. */
  readonly slices: SliceMetrics | undefined;

  constructor(options: MetricsOptions, sliceSeconds: number | undefined) {
    this.profiling = new ProfileMetrics(options);
    this.warmup = new ProfileMetrics(options);
    this.slices = sliceSeconds === undefined ? undefined : new SliceMetrics(sliceSeconds * 1e9, options);
  }

  /** Adds a request. `profilingStartNs` is the start of profiling, relative to the same origin as the request. */
  add(phase: PhaseName, request: EndedRequest, metrics: RequestMetrics, profilingStartNs: number): void {
    if (phase === 'warmup') {
      this.warmup.add(request, metrics);
      return;
    }
    this.profiling.add(request, metrics);
    this.slices?.add(request, metrics, profilingStartNs);
  }
}
