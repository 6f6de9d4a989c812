import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BodyServerCommand, BodyServerReply, EndpointRange } from './bodyServerProcess.ts';
import type { TickFigures } from './ticks.ts';

/** A child process that serves the bodies of all endpoints. */
export class BodyServers {
  readonly pid: number;
  readonly port: number;
  readonly #child: ChildProcess;

  constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.pid = child.pid!;
    this.port = port;
  }

  /**
   * Starts a process that serves the bodies in order, separately for every endpoint. The bodies are passed to
   * the process in a file in `folder`.
   */
  static async start(bodies: readonly Buffer[], folder: string): Promise<BodyServers> {
    const file = join(folder, 'bodies');
    writeFileSync(file, Buffer.concat(bodies));
    const child = fork(new URL('./bodyServerProcess.js', import.meta.url), { execArgv: [] });
    const lengths = bodies.map(({ length }) => length);
    const { port } = await sendCommand(child, { command: 'serve', file, lengths });
    return new BodyServers(child, port);
  }

  formatUrl(endpoint: number): string {
    return `http://127.0.0.1:${this.port}/${endpoint}/metrics`;
  }

  /** Waits until each endpoint of a range has been scraped since the last reset. Throws after a minute. */
  async waitForAllEndpoints(range: EndpointRange): Promise<void> {
    const { endpoints } = range;
    for (let attempts = 0; attempts < 300; attempts++) {
      const active = await sendCommand(this.#child, { command: 'figures', range, intervalMs: 1000 });
      if (active.endpoints >= endpoints) return;
      await sleep(200);
    }
    throw new Error(`not all ${endpoints} endpoints were scraped within a minute`);
  }

  /** Serves the first body again on every endpoint. */
  async rewind(): Promise<void> {
    await sendCommand(this.#child, { command: 'rewind' });
  }

  /** Discards the recorded arrival times. */
  async reset(): Promise<void> {
    await sendCommand(this.#child, { command: 'reset' });
  }

  /** Fetches the figures of a range of endpoints since the last reset. */
  async fetchFigures(range: EndpointRange, intervalMs: number): Promise<TickFigures> {
    return (await sendCommand(this.#child, { command: 'figures', range, intervalMs })).figures;
  }

  stop(): void {
    this.#child.kill('SIGTERM');
  }
}

type Reply<A extends BodyServerCommand> = Extract<
  BodyServerReply,
  A['command'] extends 'serve'
    ? { port: number }
    : A['command'] extends 'figures'
      ? { figures: TickFigures }
      : { done: true }
>;

async function sendCommand<A extends BodyServerCommand>(child: ChildProcess, message: A): Promise<Reply<A>> {
  const reply = once(child, 'message');
  child.send(message);
  return (await reply)[0] as Reply<A>;
}
