import { type Packet, packetsOf } from './packets.ts';

/** One request as it went over the wire; times are the kernel's, ns since 1970. */
export interface WireExchange {
  /** When connecting for it began; undefined over a connection that was there. */
  readonly connectNs: bigint | undefined;
  /** Its first and its last packet. */
  readonly sentNs: bigint;
  requestedNs: bigint;
  /** The packet of each token of the answer. */
  readonly tokensNs: bigint[];
}

interface Connection {
  synNs: bigint | undefined;
  exchange: WireExchange | undefined;
  /** Highest byte seen in either direction: what comes again is left out. */
  readonly next: { request: number | undefined; answer: number | undefined };
}

const REQUEST_ID = /x-request-id: ([0-9a-f-]+)/i;
const TOKENS = /"delta":\{"content":"[^"]/g;

/**
 * Requests by their `X-Request-ID`. Requests come one after the other on a connection, and the simulator never lets an event
 * be split between packets: the caller can see from the number of tokens.
 */
export function exchangesOf(capture: Buffer, port: number): Map<string, WireExchange> {
  const connections = new Map<number, Connection>();
  const exchanges = new Map<string, WireExchange>();
  for (const packet of packetsOf(capture)) {
    const isRequest = packet.to === port;
    const client = isRequest ? packet.from : packet.to;
    if (packet.isSyn) {
      if (isRequest)
        connections.set(client, {
          synNs: packet.atNs,
          exchange: undefined,
          next: { request: undefined, answer: undefined },
        });
      continue;
    }
    const connection = connections.get(client);
    if (!connection || isSeen(connection, packet, isRequest ? 'request' : 'answer')) continue;
    if (isRequest) request(connection, packet, exchanges);
    else answer(connection, packet);
  }
  return exchanges;
}

function isSeen({ next }: Connection, packet: Packet, direction: 'request' | 'answer'): boolean {
  const { sequence, payload } = packet;
  const expected = next[direction];
  if (expected !== undefined && ((sequence - expected) | 0) < 0) return true;
  next[direction] = (sequence + payload.length) >>> 0;
  return false;
}

function request(
  connection: Connection,
  { atNs, payload }: Packet,
  exchanges: Map<string, WireExchange>,
): void {
  const id = REQUEST_ID.exec(payload.toString('latin1'))?.[1];
  if (id === undefined) {
    if (connection.exchange) connection.exchange.requestedNs = atNs;
    return;
  }
  connection.exchange = { connectNs: connection.synNs, sentNs: atNs, requestedNs: atNs, tokensNs: [] };
  connection.synNs = undefined;
  exchanges.set(id, connection.exchange);
}

function answer({ exchange }: Connection, { atNs, payload }: Packet): void {
  for (const _ of payload.toString('latin1').matchAll(TOKENS)) exchange?.tokensNs.push(atNs);
}
