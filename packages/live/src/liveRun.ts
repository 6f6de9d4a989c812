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

/** Statuses of endpoints that are not scraped, although they do not fail. */
const UNREAD: ReadonlySet<string> = new Set(['duplicate', 'removed']);

/** The state of an active run. Call `read` once per second; each call adds a reading. */
export class LiveRun {
  readonly #plan: LivePlan;
  #stage: Phase = 'warm-up';
  #stageStartMs: number | undefined;
  #active: ActiveLoad | undefined;
  #client: ClientMeter | undefined;
  #clientPhase: string | undefined;
  /** All endpoints of the run; the run adds to this array. */
  #endpoints: readonly Endpoint[] = [];
  /** The endpoints of the last reading: those that are scraped. */
  #read: readonly Endpoint[] = [];
  #servers: ServerMeter | undefined;
  #readings: readonly EndpointReading[] = [];

  constructor(plan: LivePlan) {
    this.#plan = plan;
  }

  /** Follows an event of the run. `nowMs` is a monotonic time in milliseconds. */
  handle(event: RunEvent, nowMs: number): void {
    this.#stageStartMs ??= nowMs;
    if (event.type === 'endpoints_probed') this.#endpoints = event.endpoints;
    if (event.type === 'load_started') {
      this.#active = event.active;
      this.#endpoints = event.active.endpoints;
    }
    if (event.type !== 'phase_changed' || event.phase === this.#stage) return;
    this.#stage = event.phase;
    this.#stageStartMs = nowMs;
  }

  /** Adds a reading. */
  read(): void {
    this.#openClient();
    this.#client?.read();
    this.#read = this.#endpoints.filter(({ health }) => !UNREAD.has(health.status));
    this.#servers ??= new ServerMeter(extendBuiltInServers(this.#plan.servers ?? []));
    this.#readings = this.#servers.read(this.#read);
  }

  /** Returns the state of the last reading. `nowNs` is the time in nanoseconds since 1970. */
  describe(nowMs: number, nowNs: bigint): LiveState {
    const phase = this.#active && describePhase(this.#active.load.getProgress(), this.#plan);
    return {
      stage: phase ?? this.#describeStage(nowMs),
      client: this.#client?.describe(phase?.planned),
      server: (this.#servers ?? new ServerMeter(extendBuiltInServers([]))).describe(),
      endpoints: this.#readings.map((reading, index) => describeEndpoint(this.#read[index]!, reading, nowNs)),
      unresponsive: describeUnresponsive(this.#read, nowNs),
    };
  }

  /** Describes the stage of a run that sends no requests. */
  #describeStage(nowMs: number): StageProgress {
    const seconds = (nowMs - (this.#stageStartMs ?? nowMs)) / 1000;
    const limits = { 'warm-up': this.#plan.warmup, profiling: this.#plan.profiling } as const;
    const fraction = computeFraction(0, seconds, limits[this.#stage as keyof typeof limits]);
    return describeStage(this.#stage, seconds, fraction);
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

function describeEndpoint(
  { url, labels, health }: Endpoint,
  reading: EndpointReading,
  nowNs: bigint,
): EndpointState {
  const { lastSuccessNs } = health;
  return {
    host: labels?.pod ?? new URL(url).host,
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
