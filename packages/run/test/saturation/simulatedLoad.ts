import { Simulation, type SimulatorOptions } from '@org/simulator';
import { type Evidence, SaturationRule } from '../../src/saturation/saturationRule.ts';

/** A server that processes 8 requests at a time. */
const SERVER = { maxRunning: 8, recordTruth: false } as const;

/** The options of a simulated load. */
export interface SimulatedLoad {
  /** Requests per second. */
  readonly rate: number;
  readonly seed: number;
  readonly seconds: number;
  /** False for a server without a metric of its queue. */
  readonly reportsQueue: boolean;
  readonly options?: Partial<SimulatorOptions>;
}

/** Sends a load to a simulated server, in simulated time, until the rule ends it. Returns the evidence of the rule. */
export function runSimulatedLoad(load: SimulatedLoad): Evidence | undefined {
  const { rate, seed, seconds, reportsQueue, options } = load;
  const simulation = new Simulation({ ...SERVER, seed, arrivalRate: rate, ...options });
  const rule = new SaturationRule({ rate });
  let [ended, latencySum, latencyCount, longestLatency] = [0, 0, 0, 0];
  for (const engine of simulation.engines)
    engine.observe({
      onFinished: ({ arrivalNs, firstTokenNs, finishNs }) => {
        ended += 1;
        latencyCount += 1;
        latencySum += (firstTokenNs - arrivalNs) / 1e9;
        longestLatency = Math.max(longestLatency, (finishNs - arrivalNs) / 1e9);
      },
    });
  for (let second = 1; second <= seconds; second++) {
    simulation.advanceTo(second * 1e9);
    const sum = (read: (engine: (typeof simulation.engines)[number]) => number): number =>
      simulation.engines.reduce((total, engine) => total + read(engine), 0);
    const waiting = sum(engine => engine.waiting);
    const outstanding = waiting + sum(engine => engine.running);
    const evidence = rule.add({
      seconds: second,
      sent: ended + outstanding,
      outstanding,
      waiting: reportsQueue ? waiting : undefined,
      latency: latencyCount === 0 ? undefined : latencySum / latencyCount,
      longestLatency,
    });
    [latencySum, latencyCount] = [0, 0];
    if (evidence) return evidence;
  }
  return undefined;
}
