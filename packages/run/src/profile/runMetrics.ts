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

/** Maximum number of values per metric and URL for exact percentiles. */
const MAX_EXACT_VALUES = 100_000;

/** The metrics of a run by phase. Only profiling has timeslices. */
export class RunMetrics {
  readonly profiling: ProfileMetrics;
  readonly warmup: ProfileMetrics;
  readonly profilingPhase: PhaseMetrics;
  readonly warmupPhase: PhaseMetrics;
  /** Undefined if the run has no timeslices. */
  readonly slices: SliceMetrics | undefined;
  /** The metrics of profiling by the place of the URL that requests were sent to; empty with a single URL. */
  readonly byUrl: Map<number, ProfileMetrics> = new Map();
  readonly #options: MetricsOptions;

  constructor(options: MetricsOptions, sliceSeconds: number | undefined) {
    this.#options = options;
    this.profiling = new ProfileMetrics(options);
    this.warmup = new ProfileMetrics(options);
    this.profilingPhase = new PhaseMetrics(options);
    // Only profiling follows a schedule.
    this.warmupPhase = new PhaseMetrics({ ...options, fixedSchedule: false });
    this.slices = sliceSeconds === undefined ? undefined : new SliceMetrics(sliceSeconds * 1e9, options);
  }

  /**
   * Adds a request. `profilingStartNs` is the start of profiling, relative to the same origin as the request. `urlIndex` is
   * the place of its URL if there are several.
   */
  add(
    phase: PhaseName,
    request: EndedRequest & TimedRequest,
    metrics: RequestMetrics,
    profilingStartNs: number,
    urlIndex?: number,
  ): void {
    if (phase === 'warmup') {
      this.warmup.add(request, metrics);
      this.warmupPhase.add(request, metrics);
      return;
    }
    this.profiling.add(request, metrics);
    this.profilingPhase.add(request, metrics);
    this.slices?.add(request, metrics, profilingStartNs);
    if (urlIndex !== undefined) this.#findUrl(urlIndex).add(request, metrics);
  }

  #findUrl(urlIndex: number): ProfileMetrics {
    const known = this.byUrl.get(urlIndex);
    if (known) return known;
    const metrics = new ProfileMetrics({ ...this.#options, maxExactValues: MAX_EXACT_VALUES });
    this.byUrl.set(urlIndex, metrics);
    return metrics;
  }
}
