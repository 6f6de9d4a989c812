import { Simulation, type SimulatorOptions } from '@org/simulator';

/** Requests that are sent in a closed loop. */
export interface ClosedLoop {
  readonly concurrency: number;
  readonly requests: number;
  readonly promptTokens: number;
  readonly outputTokens: number;
}

/** The results of a closed loop. */
export interface LoopResult {
  /** Times to first token, in milliseconds, in the order of the ends of the requests. */
  readonly firstTokenMs: readonly number[];
  /** Time until all requests had ended, in seconds. */
  readonly seconds: number;
}

/** Longest interval between two checks for the end of the loop, in nanoseconds. */
const ADVANCE_NS = 100e6;

/** Runs a closed loop against a simulated server in simulated time, without a client that could delay it. */
export function runClosedLoop(loop: ClosedLoop, options: Partial<SimulatorOptions>): LoopResult {
  const { concurrency, requests, promptTokens, outputTokens } = loop;
  const simulation = new Simulation({ ...options, recordTruth: false });
  const firstTokenMs: number[] = [];
  let sent = 0;
  const send = (): void => {
    if (sent === requests) return;
    sent += 1;
    simulation.submit(
      { promptTokens, outputTokens, finishReason: 'length' },
      {
        onFinished: ({ arrivalNs, firstTokenNs }) => {
          firstTokenMs.push((firstTokenNs - arrivalNs) / 1e6);
          send();
        },
      },
    );
  };
  for (let count = 0; count < concurrency; count++) send();
  while (firstTokenMs.length < requests) simulation.advanceTo(simulation.nowNs + ADVANCE_NS);
  return { firstTokenMs, seconds: simulation.nowNs / 1e9 };
}

/** Computes a percentile by linear interpolation, as in the exports. `share` is between 0 and 1. */
export function computePercentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  const rank = (sorted.length - 1) * share;
  const [lower, upper] = [sorted[Math.floor(rank)]!, sorted[Math.ceil(rank)]!];
  return lower + (upper - lower) * (rank - Math.floor(rank));
}
