import {
  type EndedRequest,
  PhaseMetrics,
  type PhaseMetricsOptions,
  ProfileMetrics,
  type RequestMetrics,
  SliceMetrics,
  type TimedRequest,
} from '@org/loadgen';
import type { PhaseName } from './phasePosition.ts';

type MetricsOptions = ConstructorParameters<typeof ProfileMetrics>[0] & PhaseMetricsOptions;

/** The metrics of a run by phase. Only profiling has timeslices. */
export class RunMetrics {
  readonly profiling: ProfileMetrics;
  readonly warmup: ProfileMetrics;
  readonly profilingPhase: PhaseMetrics;
  readonly warmupPhase: PhaseMetrics;
  /** Undefined if the run has no timeslices. */
  readonly slices: SliceMetrics | undefined;

  constructor(options: MetricsOptions, sliceSeconds: number | undefined) {
    this.profiling = new ProfileMetrics(options);
    this.warmup = new ProfileMetrics(options);
    this.profilingPhase = new PhaseMetrics(options);
    // Only profiling follows a schedule.
    this.warmupPhase = new PhaseMetrics({ ...options, fixedSchedule: false });
    this.slices = sliceSeconds === undefined ? undefined : new SliceMetrics(sliceSeconds * 1e9, options);
  }

  /** Adds a request. `profilingStartNs` is the start of profiling, relative to the same origin as the request. */
  add(
    phase: PhaseName,
    request: EndedRequest & TimedRequest,
    metrics: RequestMetrics,
    profilingStartNs: number,
  ): void {
    if (phase === 'warmup') {
      this.warmup.add(request, metrics);
      this.warmupPhase.add(request, metrics);
      return;
    }
    this.profiling.add(request, metrics);
    this.profilingPhase.add(request, metrics);
    this.slices?.add(request, metrics, profilingStartNs);
  }
}
