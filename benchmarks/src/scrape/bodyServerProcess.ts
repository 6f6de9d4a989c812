/**
 * Serves prepared bodies in a child process with minimal CPU use: every response is a single prepared buffer.
 * The process is started with `fork` and exchanges `BodyServerCommand` and `BodyServerReply` messages with
 * its parent.
 */
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { computeTickFigures, type TickFigures } from './ticks.ts';

/**
 * Commands of the parent process. `serve` serves the bodies of a file, `rewind` restarts with the first body,
 * `reset` discards the recorded arrival times, and `figures` requests the tick figures since the last `reset`
 * or `rewind`. `rewind` also discards the arrival times.
 */
export type BodyServerCommand =
  | { readonly command: 'serve'; readonly file: string; readonly lengths: readonly number[] }
  | { readonly command: 'rewind' }
  | { readonly command: 'reset' }
  | { readonly command: 'figures'; readonly range: EndpointRange; readonly intervalMs: number };

/** A range of endpoint numbers. Scrapers that run at the same time use separate ranges. */
export interface EndpointRange {
  readonly firstEndpoint: number;
  readonly endpoints: number;
}

/** Replies to the parent process. */
export type BodyServerReply =
  | { readonly port: number }
  | { readonly done: true }
  | { readonly figures: TickFigures; readonly endpoints: number };

const ENDPOINT = /^GET \/(\d+)\//;
const END_OF_REQUEST = '\r\n\r\n';

let responses: Buffer[] = [];
/** Arrival times of requests by endpoint, in milliseconds. */
let arrivals: number[][] = [];
/** Number of requests by endpoint since the start or the last rewind. */
let requestCounts: number[] = [];

process.on('message', (message: BodyServerCommand) => {
  if (message.command === 'serve') serve(message.file, message.lengths);
  else if (message.command !== 'figures') {
    arrivals = [];
    if (message.command === 'rewind') requestCounts = [];
    reply({ done: true });
  } else {
    const { firstEndpoint, endpoints } = message.range;
    const active = arrivals.slice(firstEndpoint, firstEndpoint + endpoints).filter(Boolean);
    reply({ figures: computeTickFigures(active, message.intervalMs), endpoints: active.length });
  }
});
process.on('disconnect', () => process.exit());

function reply(message: BodyServerReply): void {
  process.send!(message);
}

function serve(file: string, lengths: readonly number[]): void {
  const bytes = readFileSync(file);
  let offset = 0;
  responses = lengths.map(length => {
    const head = `HTTP/1.1 200 OK\r\ncontent-type: text/plain; version=0.0.4; charset=utf-8\r\ncontent-length: ${length}\r\n\r\n`;
    const response = Buffer.concat([Buffer.from(head), bytes.subarray(offset, offset + length)]);
    offset += length;
    return response;
  });
  const server = createServer({ noDelay: true }, serveConnection);
  server.listen(0, '127.0.0.1', () => reply({ port: (server.address() as AddressInfo).port }));
}

/** Serves a connection of a scraper, which sends one request at a time, possibly in several packets. */
function serveConnection(socket: Socket): void {
  let request = '';
  socket.setEncoding('latin1');
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: string) => {
    request += chunk;
    if (!request.endsWith(END_OF_REQUEST)) return;
    const endpoint = Number(ENDPOINT.exec(request)?.[1] ?? 0);
    request = '';
    arrivals[endpoint] ??= [];
    arrivals[endpoint].push(performance.now());
    const index = requestCounts[endpoint] ?? 0;
    requestCounts[endpoint] = index + 1;
    // The last body is repeated, because starting over with the first body would decrease counters, which
    // looks like a server restart.
    socket.write(responses[Math.min(index, responses.length - 1)]!);
  });
}
