import { type Fault, type ScrapeFault, validateFault } from './faults/fault.ts';
import { isServerFault, type ServerFault } from './faults/serverFault.ts';
import type { Page } from './profiles/profile.ts';
import { Control } from './server/control.ts';
import { Flapping } from './server/flapping.ts';
import { Listener } from './server/listener.ts';
import { LiveSimulation } from './server/liveSimulation.ts';
import { Router, type RouterOptions } from './server/router.ts';
import { Simulation } from './simulation.ts';
import type { SimulatorOptions } from './simulatorOptions.ts';
import type { Mark, Truth } from './truth.ts';

/** Options of {@link createSimulator}. */
export type CreateSimulatorOptions = Partial<SimulatorOptions> &
  RouterOptions & {
    /** Port of metrics pages that are not on the main port (Triton, Dynamo workers, the SGLang router); 0 chooses a free port. */
    readonly sidePort?: number;
    /** Faults to inject from the start. */
    readonly faults?: readonly Fault[];
  };

/** Addresses of a listening simulator. */
export interface SimulatorAddress {
  /** Base URL for requests, without a trailing slash. */
  readonly url: string;
  /** URL of the first metrics page; `/metrics` if the server has none. */
  readonly metricsUrl: string;
  /** URLs of all metrics pages by name. */
  readonly pages: Readonly<Record<string, string>>;
}

/** A mock inference server. It runs in simulated time until it listens, and in real time from then on. */
export interface Simulator {
  /** Starts listening on a port (0 chooses a free port) and switches to real time. */
  listen(port?: number, host?: string): Promise<SimulatorAddress>;
  /** Closes all ports and stops the clock. */
  close(): Promise<void>;
  /** Advances simulated time. Throws while listening. */
  advance(seconds: number): void;
  /** Simulated Unix time, in ns. */
  readonly timeNs: bigint;
  /** Returns the current body of a page (default: the first text page), in the classic text format or JSON. */
  scrape(page?: string): string;
  /** Returns a mark of the current time. */
  mark(): Mark;
  /** Returns the truth from one mark (default: the start) to another (default: now). */
  getTruth(from?: Mark, to?: Mark): Truth;
  /** Injects faults, restarts and outages. */
  readonly control: Control;
  /** The underlying simulation. */
  readonly simulation: Simulation;
}

/** Creates a mock inference server. Throws RangeError for invalid options. */
export function createSimulator(options: CreateSimulatorOptions = {}): Simulator {
  const faults = (options.faults ?? []).map(validateFault);
  const serverFaults = faults.filter(isServerFault);
  const simulation = new Simulation({ ...options, serverFaults });
  const live = new LiveSimulation(simulation);
  const createListener = (port: Page['port']): Listener =>
    new Listener((request, response) => router.handle(port, request, response));
  const main = createListener('main');
  const side = createListener('side');
  const control = new Control(live, [main, side]);
  const router = new Router(live, control, options);
  control.inject(...faults.filter((fault): fault is ScrapeFault => !isServerFault(fault)));
  const flapping = serverFaults.filter(isFlap).map(periods => new Flapping(control, periods));
  return {
    simulation,
    control,
    get timeNs() {
      return simulation.timeNs;
    },
    async listen(port = 0, host = '127.0.0.1') {
      await main.open(port, host);
      if (simulation.pages.some(page => page.port === 'side'))
        await openSide(main, side, options.sidePort, host);
      live.start();
      control.start();
      for (const flap of flapping) flap.start();
      return toAddress(simulation, main, side);
    },
    async close() {
      live.stop();
      for (const flap of flapping) flap.stop();
      control.stop();
      await Promise.all([main.close(), side.close()]);
    },
    advance(seconds) {
      if (live.isRunning) throw new Error('cannot advance while listening: time is real');
      simulation.advanceTo(simulation.nowNs + Math.round(seconds * 1e9));
    },
    scrape(page) {
      live.catchUp();
      return simulation.getPage(page).read('').body;
    },
    mark() {
      live.catchUp();
      return simulation.mark();
    },
    getTruth(from, to) {
      live.catchUp();
      return simulation.getTruth(from, to);
    },
  };
}

function isFlap(fault: ServerFault): fault is Extract<ServerFault, { kind: 'flap' }> {
  return fault.kind === 'flap';
}

/** Opens the side port. Closes the main port if that fails. */
async function openSide(
  main: Listener,
  side: Listener,
  port: number | undefined,
  host: string,
): Promise<void> {
  try {
    await side.open(port ?? 0, host);
  } catch (error) {
    await main.close();
    throw error;
  }
}

function toAddress(simulation: Simulation, main: Listener, side: Listener): SimulatorAddress {
  const entries = simulation.pages.map(page => {
    return [page.name, (page.port === 'side' ? side : main).url + page.path] as const;
  });
  return {
    url: main.url,
    metricsUrl: entries[0]?.[1] ?? `${main.url}/metrics`,
    pages: Object.fromEntries(entries),
  };
}
