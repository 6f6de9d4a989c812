import type { ActiveLoad, Phase, ProfilePlan, RunEvent } from '@org/run';
import type { Endpoint } from '@org/scrape';
import { type DefinitionFile, extendBuiltInServers } from '@org/servers';
import { ClientMeter } from './clientMeter.ts';
import type { EndpointReading } from './endpointMeter.ts';
import type { EndpointState, LiveState } from './liveState.ts';
import {
  computeFraction,
  describePhase,
  describeStage,
  type PhaseLimits,
  type StageProgress,
} from './phaseProgress.ts';
import { readGauge, readRate, ServerMeter } from './serverMeter.ts';
import { describeUnresponsive } from './unresponsive.ts';

/** The parts of a plan that a live state needs. */
export interface LivePlan extends Partial<Pick<ProfilePlan, 'goodput'>> {
  /** The limits of the phases. */
  readonly warmup?: PhaseLimits;
  readonly profiling?: PhaseLimits;
  /** Definitions of further servers. */
  readonly servers?: readonly DefinitionFile[];
}

/** The state of an active run. Call `read` once per second; each call adds a reading. */
export class LiveRun {
  readonly #plan: LivePlan;
  #stage: Phase = 'warm-up';
  #stageStartMs: number | undefined;
  #active: ActiveLoad | undefined;
  #client: ClientMeter | undefined;
  #clientPhase: string | undefined;
  #endpoints: readonly Endpoint[] = [];
  #servers: ServerMeter = new ServerMeter([], extendBuiltInServers([]));
  #readings: readonly EndpointReading[] = [];

  constructor(plan: LivePlan) {
    this.#plan = plan;
  }

  /** Follows an event of the run. `nowMs` is a monotonic time in milliseconds. */
  handle(event: RunEvent, nowMs: number): void {
    this.#stageStartMs ??= nowMs;
    if (event.type === 'endpoints_probed') this.#setEndpoints(event.endpoints);
    if (event.type === 'load_started') {
      this.#active = event.active;
      this.#setEndpoints(event.active.endpoints);
    }
    if (event.type !== 'phase_changed' || event.phase === this.#stage) return;
    this.#stage = event.phase;
    this.#stageStartMs = nowMs;
  }

  /** Adds a reading. */
  read(): void {
    this.#openClient();
    this.#client?.read();
    this.#readings = this.#servers.read();
  }

  /** Returns the state of the last reading. `nowNs` is the time in nanoseconds since 1970. */
  describe(nowMs: number, nowNs: bigint): LiveState {
    const phase = this.#active && describePhase(this.#active.load.getProgress(), this.#plan);
    return {
      stage: phase ?? this.#describeStage(nowMs),
      client: this.#client?.describe(phase?.planned),
      server: this.#servers.describe(),
      endpoints: this.#readings.map((reading, index) =>
        describeEndpoint(this.#endpoints[index]!, reading, nowNs),
      ),
      unresponsive: describeUnresponsive(this.#endpoints, nowNs),
    };
  }

  /** Describes the stage of a run that sends no requests. */
  #describeStage(nowMs: number): StageProgress {
    const seconds = (nowMs - (this.#stageStartMs ?? nowMs)) / 1000;
    const limits = { 'warm-up': this.#plan.warmup, profiling: this.#plan.profiling } as const;
    const fraction = computeFraction(0, seconds, limits[this.#stage as keyof typeof limits]);
    return describeStage(this.#stage, seconds, fraction);
  }

  #setEndpoints(endpoints: readonly Endpoint[]): void {
    const used = endpoints.filter(({ health }) => health.status !== 'duplicate');
    if (used.length === this.#endpoints.length) return;
    this.#endpoints = used;
    this.#readings = [];
    this.#servers = new ServerMeter(used, extendBuiltInServers(this.#plan.servers ?? []));
  }

  /** Creates a meter for each phase of the load, so that the warm-up is not part of the profiling phase. */
  #openClient(): void {
    if (!this.#active) return;
    const { phase } = this.#active.load.getProgress();
    if (phase === undefined || (phase === this.#clientPhase && this.#client)) return;
    const metrics = phase === 'warmup' ? this.#active.warmupMetrics : this.#active.metrics;
    this.#client = new ClientMeter(this.#active, metrics, this.#plan.goodput);
    this.#clientPhase = phase;
  }
}

function describeEndpoint({ url, health }: Endpoint, reading: EndpointReading, nowNs: bigint): EndpointState {
  const { lastSuccessNs } = health;
  return {
    host: new URL(url).host,
    servers: reading.servers,
    isCurrent: reading.isCurrent,
    ageSeconds: lastSuccessNs === undefined ? undefined : Math.max(0, Number(nowNs - lastSuccessNs) / 1e9),
    failedScrapes: health.failedScrapes,
    lateScrapes: health.lateScrapes,
    running: readGauge(reading, 'running'),
    waiting: readGauge(reading, 'waiting'),
    kvCache: readGauge(reading, 'kvCacheUsage'),
    requests: readRate(reading, 'completedRequests'),
  };
}
