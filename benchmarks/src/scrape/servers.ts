import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Asked, Endpoints, Told } from './bodyserver.ts';
import type { TickFigures } from './ticks.ts';

/** The process that serves the bodies of all endpoints. */
export class Servers {
  readonly pid: number;
  readonly port: number;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.pid = child.pid!;
    this.port = port;
  }

  /** Starts a process that serves these bodies, in turn, at every path. `folder` is for handing them over. */
  static async start(bodies: readonly Buffer[], folder: string): Promise<Servers> {
    const file = join(folder, 'bodies');
    writeFileSync(file, Buffer.concat(bodies));
    const child = fork(new URL('./bodyserver.js', import.meta.url), { execArgv: [] });
    const lengths = bodies.map(({ length }) => length);
    const { port } = await answered(child, { ask: 'serve', file, lengths });
    return new Servers(child, port);
  }

  url(endpoint: number): string {
    return `http://127.0.0.1:${this.port}/${endpoint}/metrics`;
  }

  /** Waits until each of these endpoints has been asked for. Throws after a minute. */
  async allAsked(of: Endpoints): Promise<void> {
    const { endpoints } = of;
    for (let tries = 0; tries < 300; tries++) {
      const seen = await answered(this.#child, { ask: 'figures', of, intervalMs: 1000 });
      if (seen.endpoints >= endpoints) return;
      await sleep(200);
    }
    throw new Error(`of ${endpoints} endpoints not all were scraped within a minute`);
  }

  /** Has every endpoint begin with the first body again. */
  async rewind(): Promise<void> {
    await answered(this.#child, { ask: 'rewind' });
  }

  /** Forgets all requests so far. */
  async begin(): Promise<void> {
    await answered(this.#child, { ask: 'begin' });
  }

  /** What was asked of these endpoints since `begin`. */
  async figures(of: Endpoints, intervalMs: number): Promise<TickFigures> {
    return (await answered(this.#child, { ask: 'figures', of, intervalMs })).figures;
  }

  stop(): void {
    this.#child.kill('SIGTERM');
  }
}

type Answer<A extends Asked> = Extract<
  Told,
  A['ask'] extends 'serve'
    ? { port: number }
    : A['ask'] extends 'figures'
      ? { figures: TickFigures }
      : { done: true }
>;

async function answered<A extends Asked>(child: ChildProcess, message: A): Promise<Answer<A>> {
  const answer = once(child, 'message');
  child.send(message);
  return (await answer)[0] as Answer<A>;
}
