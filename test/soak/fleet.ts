import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createSimulator } from '../../packages/simulator/dist/index.js';

type Simulator = ReturnType<typeof createSimulator>;
const KINDS = ['vllm', 'sglang', 'trtllm', 'dynamo', 'triton'] as const;
type Kind = (typeof KINDS)[number];

/** The behavior of a server: no faults, or a fault that is injected repeatedly. */
export interface Role {
  readonly name: string;
  /** Interval between two faults, in seconds. Absent if the server has no faults. */
  readonly intervalS?: number;
  readonly injectFault?: (server: Simulator) => Promise<void> | void;
  /** Number of scrapes that fail per fault. Absent if the number depends on the time of the fault. */
  readonly failedScrapes?: number;
  /** Pattern of the reason code of failed scrapes. */
  readonly reason?: RegExp;
  /** True if the server compresses all bodies, even if the request does not accept compression. */
  readonly gzip?: true;
}

/** Each kind of server has each role once. */
const ROLES: readonly Role[] = [
  { name: 'calm' },
  { name: 'calm 2' },
  { name: 'gzip', gzip: true },
  {
    name: 'flapping',
    intervalS: 20,
    injectFault: server => server.control.refuse(3),
    reason: /^refused|reset|connection_closed/,
  },
  {
    name: 'restart',
    intervalS: 30,
    injectFault: server => server.control.restart(1),
    reason: /^refused|reset|connection_closed/,
  },
  {
    name: 'truncated',
    intervalS: 15,
    injectFault: server => server.control.inject({ kind: 'truncate', scrapes: 3 }),
    failedScrapes: 3,
    reason: /^connection_closed$/,
  },
  {
    name: 'slow',
    intervalS: 25,
    injectFault: server => server.control.inject({ kind: 'stall', seconds: 1, scrapes: 2 }),
    failedScrapes: 0,
  },
  {
    name: '5xx',
    intervalS: 15,
    injectFault: server => server.control.inject({ kind: 'status', status: 503, scrapes: 5 }),
    failedScrapes: 5,
    reason: /^server_error$/,
  },
];

/** A server of the fleet, its role, and the number of its faults. */
export interface Member {
  readonly kind: Kind;
  readonly role: Role;
  /** URL to scrape. */
  readonly url: string;
  /** Number of faults so far. */
  faultCount: number;
}

/** Forty servers on this machine: five kinds in eight roles. */
export class Fleet {
  readonly members: Member[] = [];
  readonly #simulators: Simulator[] = [];
  readonly #proxies: Server[] = [];
  readonly #timers: NodeJS.Timeout[] = [];

  async listen(): Promise<void> {
    for (const [kindIndex, kind] of KINDS.entries()) {
      for (const [index, role] of ROLES.entries()) {
        const simulator = createSimulator({
          kind,
          seed: kindIndex * ROLES.length + index,
          arrivalRate: 3,
          recordTruth: false,
          ...(kind === 'trtllm' ? { trtllm: { json: false, jsonContentType: false, exposition: true } } : {}),
        });
        const { metricsUrl } = await simulator.listen(0);
        const url = role.gzip ? await this.#startCompressingProxy(simulator) : metricsUrl;
        this.#simulators.push(simulator);
        this.members.push({ kind, role, url, faultCount: 0 });
      }
    }
  }

  /** Schedules the faults of the next `seconds` seconds, at different times for each server. */
  injectFaults(seconds: number): void {
    this.members.forEach((member, index) => {
      const { intervalS, injectFault } = member.role;
      if (intervalS === undefined) return;
      const offsetS = (intervalS * (index + 1)) / (this.members.length + 1);
      for (let atS = offsetS; atS < seconds; atS += intervalS)
        this.#timers.push(
          setTimeout(() => {
            member.faultCount++;
            void injectFault!(this.#simulators[index]!);
          }, atS * 1000),
        );
    });
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    for (const proxy of this.#proxies) {
      proxy.close();
      proxy.closeAllConnections();
    }
    await Promise.all(this.#simulators.map(simulator => simulator.close()));
  }

  /** Starts a proxy that serves the metrics of a simulator with gzip. Returns its URL. */
  async #startCompressingProxy(simulator: Simulator): Promise<string> {
    const proxy = createServer((_, response) => {
      response.writeHead(200, {
        'content-type': 'text/plain; version=0.0.4; charset=utf-8',
        'content-encoding': 'gzip',
      });
      response.end(gzipSync(simulator.scrape()));
    });
    this.#proxies.push(proxy);
    await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/metrics`;
  }
}
