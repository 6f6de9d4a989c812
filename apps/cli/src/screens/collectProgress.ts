import { formatDuration } from '@org/core';
import { describeUnresponsive, getWallTimeNs, isResponding } from '@org/live';
import type { CollectPlan, Phase } from '@org/run';
import type { Endpoint } from '@org/scrape';
import { extendBuiltInServers } from '@org/servers';
import { type Log, ProgressLine } from '@org/terminal/live';
import type { Io } from '@org/terminal/program';
import { HeadlineFormatter } from './headlines.ts';

/** The progress line of a collect run: phase, elapsed time of the phase, endpoints and samples. */
export class CollectProgress {
  readonly #line = new ProgressLine();
  readonly #headlines: HeadlineFormatter;
  #phase: Phase = 'warm-up';
  #phaseStartMs: number = performance.now();

  constructor({ servers = [] }: Pick<CollectPlan, 'servers'>) {
    this.#headlines = new HeadlineFormatter(extendBuiltInServers(servers));
  }

  /** Sets the phase, and restarts its elapsed time. */
  setPhase(phase: Phase): void {
    this.#phase = phase;
    this.#phaseStartMs = performance.now();
  }

  start(endpoints: readonly Endpoint[], io: Io, log: Log, live: boolean): void {
    this.#phaseStartMs = performance.now();
    this.#line.start(() => this.#format(endpoints), io, log, live);
  }

  /** Clears the live line, so that other output can be printed. */
  clear(): void {
    this.#line.clear();
  }

  stop(): void {
    this.#line.stop();
  }

  #format(all: readonly Endpoint[]): string[] {
    const endpoints = all.filter(({ health }) => health.status !== 'removed');
    const active = endpoints.filter(isResponding).length;
    const lateScrapes = all.reduce((sum, { health }) => sum + health.lateScrapes, 0);
    const samples = all.reduce((sum, endpoint) => sum + endpoint.samples, 0);
    const elapsed = formatDuration(Math.round((performance.now() - this.#phaseStartMs) / 1000));
    const count = new Intl.NumberFormat('en').format(samples);
    const columns = [`${this.#phase} ${elapsed}`, `${active}/${endpoints.length} up`, `${count} samples`];
    if (lateScrapes > 0) columns.push(`${lateScrapes} skipped`);
    const unresponsive = describeUnresponsive(endpoints, getWallTimeNs());
    if (unresponsive !== undefined) columns.push(unresponsive);
    const headlines = this.#headlines.format(endpoints.filter(isResponding));
    return headlines === '' ? columns : [...columns, headlines];
  }
}
