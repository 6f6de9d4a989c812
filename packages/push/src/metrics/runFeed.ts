import { getWallTimeNs, type LivePlan, LiveRun, type LiveState } from '@org/live';
import type { RunEvent } from '@org/run';
import { createFamily, type Family, joinFamilies } from './batch.ts';
import { type ClientFeed, createClientFeeds, describeLoad } from './clientFeed.ts';
import { METRICS } from './definition.ts';
import { describeEndpoints, describeServers } from './serverFamilies.ts';

/** Converts the state of an active run to metrics. */
export class RunFeed {
  readonly #live: LiveRun;
  #clients: readonly ClientFeed[] = [];

  constructor(plan: LivePlan) {
    this.#live = new LiveRun(plan);
  }

  handle(event: RunEvent): void {
    this.#live.handle(event, performance.now());
    if (event.type === 'load_started') this.#clients = createClientFeeds(event.active);
  }

  /** Reads the current values. Call it once per second. */
  read(): Family[] {
    this.#live.read();
    const state = this.#live.describe(performance.now(), getWallTimeNs());
    return joinFamilies([
      ...describeStage(state),
      ...this.#clients.flatMap(client => client.read()),
      ...(state.client ? describeLoad(state.client, formatPhase(state)) : []),
      ...describeServers(state.server),
      ...describeEndpoints(state.endpoints),
    ]);
  }
}

function describeStage(state: LiveState): Family[] {
  const labels = { phase: formatPhase(state) };
  return [
    ...createFamily(METRICS.runInfo, 1, labels),
    ...createFamily(METRICS.runProgress, state.stage.fraction, labels),
  ];
}

/** Formats the phase as in the exports: `warm-up` becomes `warmup`. */
function formatPhase({ stage }: LiveState): string {
  return stage.name.replace('-', '').replaceAll(' ', '_');
}
