/**
 * A process that serves bodies which somebody else made, as cheaply as can be: every answer is one buffer that stands ready.
 * Started with `fork`; speaks the messages of `Asked` and `Told`.
 */
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { type TickFigures, tickFigures } from './ticks.ts';

/**
 * What the parent may ask: to serve the bodies of a file, to begin again with the first of them, to forget what has happened,
 * and what has happened since.
 */
export type Asked =
  | { readonly ask: 'serve'; readonly file: string; readonly lengths: readonly number[] }
  | { readonly ask: 'rewind' }
  | { readonly ask: 'begin' }
  | { readonly ask: 'figures'; readonly of: Endpoints; readonly intervalMs: number };

/** So many endpoints from one on: those of one scraper, where two of them scrape. */
export interface Endpoints {
  readonly first: number;
  readonly endpoints: number;
}

export type Told =
  | { readonly port: number }
  | { readonly done: true }
  | { readonly figures: TickFigures; readonly endpoints: number };

const ENDPOINT = /^GET \/(\d+)\//;
const END_OF_REQUEST = '\r\n\r\n';

let answers: Buffer[] = [];
/** By endpoint: when it was asked for, in ms, and how often since the first body. */
let arrivals: number[][] = [];
let asked: number[] = [];

process.on('message', (message: Asked) => {
  if (message.ask === 'serve') serve(message.file, message.lengths);
  else if (message.ask !== 'figures') {
    arrivals = [];
    if (message.ask === 'rewind') asked = [];
    tell({ done: true });
  } else {
    const { first, endpoints } = message.of;
    const seen = arrivals.slice(first, first + endpoints).filter(Boolean);
    tell({ figures: tickFigures(seen, message.intervalMs), endpoints: seen.length });
  }
});
process.on('disconnect', () => process.exit());

function tell(told: Told): void {
  process.send!(told);
}

function serve(file: string, lengths: readonly number[]): void {
  const bytes = readFileSync(file);
  let at = 0;
  answers = lengths.map(length => {
    const head = `HTTP/1.1 200 OK\r\ncontent-type: text/plain; version=0.0.4; charset=utf-8\r\ncontent-length: ${length}\r\n\r\n`;
    const answer = Buffer.concat([Buffer.from(head), bytes.subarray(at, at + length)]);
    at += length;
    return answer;
  });
  const server = createServer({ noDelay: true }, answerAll);
  server.listen(0, '127.0.0.1', () => tell({ port: (server.address() as AddressInfo).port }));
}

/** A scraper sends one request at a time; one that comes in pieces is put together. */
function answerAll(socket: Socket): void {
  let request = '';
  socket.setEncoding('latin1');
  socket.on('error', () => socket.destroy());
  socket.on('data', (piece: string) => {
    request += piece;
    if (!request.endsWith(END_OF_REQUEST)) return;
    const endpoint = Number(ENDPOINT.exec(request)?.[1] ?? 0);
    request = '';
    arrivals[endpoint] ??= [];
    arrivals[endpoint].push(performance.now());
    const index = asked[endpoint] ?? 0;
    asked[endpoint] = index + 1;
    // At the end the last stays: a counter that fell would look like a restart.
    socket.write(answers[Math.min(index, answers.length - 1)]!);
  });
}
