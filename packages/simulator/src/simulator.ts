import type { Fault } from './faults/fault.ts';
import type { SimulatorOptions } from './options.ts';
import type { Page } from './profiles/profile.ts';
import { Control } from './server/control.ts';
import { Listener } from './server/listener.ts';
import { Live } from './server/live.ts';
import { Router, type RouterOptions } from './server/router.ts';
import { Simulation } from './simulation.ts';
import type { Mark, Truth } from './truth.ts';

/** What {@link createSimulator} can be told. What is left out has its default. */
export type CreateSimulatorOptions = Partial<SimulatorOptions> &
  RouterOptions & {
    /** Port of metrics that are not served where requests are (Triton, Dynamo's worker); 0 for a free one. */
    readonly sidePort?: number;
    /** What goes wrong from the start. */
    readonly faults?: readonly Fault[];
  };

/** Where a listening simulator is found. */
export interface SimulatorAddress {
  /** Base URL for requests, without a slash at its end. */
  readonly url: string;
  /** The page that one would scrape first; `/metrics` when the server has none at all. */
  readonly metricsUrl: string;
  /** All pages by name. */
  readonly pages: Readonly<Record<string, string>>;
}

/** An inference server that is not one. Time is simulated until it listens, and real from then on. */
export interface Simulator {
  /** Opens the port (0: a free one) and lets time run. */
  listen(port?: number, host?: string): Promise<SimulatorAddress>;
  /** Closes all ports and stops time. */
  close(): Promise<void>;
  /** Moves simulated time forward by so many seconds. Throws while listening. */
  advance(seconds: number): void;
  /** Simulated wall time, ns since 1970. */
  readonly timeNs: bigint;
  /** Body of a page as it is now, in the classic format or JSON; by default the first page that is text. */
  exposition(page?: string): string;
  /** Remembers this point of the run. */
  mark(): Mark;
  /** What really happened from a mark (or the start) to another (or now). */
  truth(from?: Mark, to?: Mark): Truth;
  /** Makes things go wrong. */
  readonly control: Control;
  /** The model itself, for what has no method here. */
  readonly simulation: Simulation;
}

/** Makes an inference server. Throws for options that do not fit together. */
export function createSimulator(options: CreateSimulatorOptions = {}): Simulator {
  const simulation = new Simulation(options);
  const live = new Live(simulation);
  const listener = (port: Page['port']): Listener =>
    new Listener(
      (request, response) => router.answer(port, request, response),
      socket => live.arrivals.connected(socket),
    );
  const main = listener('main');
  const side = listener('side');
  const control = new Control(live, [main, side]);
  const router = new Router(live, control, options);
  control.inject(...(options.faults ?? []));
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
      return address(simulation, main, side);
    },
    async close() {
      live.stop();
      control.stop();
      await Promise.all([main.close(), side.close()]);
    },
    advance(seconds) {
      if (live.running) throw new Error('cannot advance while listening: time is real');
      simulation.advanceTo(simulation.nowNs + Math.round(seconds * 1e9));
    },
    exposition(page) {
      live.catchUp();
      return simulation.page(page).read('').body;
    },
    mark() {
      live.catchUp();
      return simulation.mark();
    },
    truth(from, to) {
      live.catchUp();
      return simulation.truth(from, to);
    },
  };
}

/** Opens the second port; without it, the first one is closed again. */
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

function address(simulation: Simulation, main: Listener, side: Listener): SimulatorAddress {
  const entries = simulation.pages.map(page => {
    return [page.name, (page.port === 'side' ? side : main).url + page.path] as const;
  });
  return {
    url: main.url,
    metricsUrl: entries[0]?.[1] ?? `${main.url}/metrics`,
    pages: Object.fromEntries(entries),
  };
}
