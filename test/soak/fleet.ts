import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createSimulator, serverKinds } from '../../packages/simulator/dist/index.js';

type Simulator = ReturnType<typeof createSimulator>;
type Kind = (typeof serverKinds)[number];

/** What keeps happening to a server. */
export interface Role {
  readonly name: string;
  /** Seconds between two troubles, and what a trouble is. */
  readonly everyS?: number;
  readonly trouble?: (server: Simulator) => Promise<void> | void;
  /** Scrapes that fail in each trouble; left out where that depends on when it comes. */
  readonly fails?: number;
  /** Why they fail. */
  readonly reason?: RegExp;
  /** Whether it compresses its bodies, asked to or not. */
  readonly gzip?: true;
}

/** Each kind of server is there once in every role. */
const ROLES: readonly Role[] = [
  { name: 'calm' },
  { name: 'calm too' },
  { name: 'gzip', gzip: true },
  { name: 'flapping', everyS: 20, trouble: server => server.control.refuse(3), reason: /^refused|reset|cut/ },
  { name: 'restart', everyS: 30, trouble: server => server.control.restart(1), reason: /^refused|reset|cut/ },
  {
    name: 'truncated',
    everyS: 15,
    trouble: server => server.control.inject({ kind: 'truncate', scrapes: 3 }),
    fails: 3,
    reason: /^cut$/,
  },
  {
    name: 'slow',
    everyS: 25,
    trouble: server => server.control.inject({ kind: 'stall', seconds: 1, scrapes: 2 }),
    fails: 0,
  },
  {
    name: '5xx',
    everyS: 15,
    trouble: server => server.control.inject({ kind: 'status', status: 503, scrapes: 5 }),
    fails: 5,
    reason: /^server_error$/,
  },
];

/** One server of the fleet. */
export interface Member {
  readonly kind: Kind;
  readonly role: Role;
  /** What to scrape. */
  readonly url: string;
  /** How often it had its trouble so far. */
  troubles: number;
}

/** Forty servers on this machine: five kinds, eight roles. */
export class Fleet {
  readonly members: Member[] = [];
  readonly #simulators: Simulator[] = [];
  readonly #proxies: Server[] = [];
  readonly #timers: NodeJS.Timeout[] = [];

  async listen(): Promise<void> {
    for (const [at, kind] of serverKinds.entries()) {
      for (const [index, role] of ROLES.entries()) {
        const simulator = createSimulator({
          kind,
          seed: at * ROLES.length + index,
          arrivalRate: 3,
          recordTruth: false,
          ...(kind === 'trtllm' ? { trtllm: { json: false, jsonContentType: false, exposition: true } } : {}),
        });
        const { metricsUrl } = await simulator.listen(0);
        const url = role.gzip ? await this.#compressing(simulator) : metricsUrl;
        this.#simulators.push(simulator);
        this.members.push({ kind, role, url, troubles: 0 });
      }
    }
  }

  /** Lets trouble begin, for so many seconds; each server's at a time of its own. */
  disturb(seconds: number): void {
    this.members.forEach((member, index) => {
      const { everyS, trouble } = member.role;
      if (everyS === undefined) return;
      const offsetS = (everyS * (index + 1)) / (this.members.length + 1);
      for (let atS = offsetS; atS < seconds; atS += everyS)
        this.#timers.push(
          setTimeout(() => {
            member.troubles++;
            void trouble!(this.#simulators[index]!);
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

  async #compressing(simulator: Simulator): Promise<string> {
    const proxy = createServer((_, response) => {
      response.writeHead(200, {
        'content-type': 'text/plain; version=0.0.4; charset=utf-8',
        'content-encoding': 'gzip',
      });
      response.end(gzipSync(simulator.exposition()));
    });
    this.#proxies.push(proxy);
    await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/metrics`;
  }
}
