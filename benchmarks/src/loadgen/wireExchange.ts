import { type Packet, readPackets } from './packets.ts';

/** A captured request and its response. Times are kernel timestamps, as Unix time in nanoseconds. */
export interface WireExchange {
  /** Time of the SYN packet; undefined on a reused connection. */
  readonly connectNs: bigint | undefined;
  /** Time of the first packet of the request. */
  readonly sentNs: bigint;
  /** Time of the last packet of the request. */
  requestedNs: bigint;
  /** For each token of the response, the time of its packet. */
  readonly tokensNs: bigint[];
}

interface Connection {
  synNs: bigint | undefined;
  exchange: WireExchange | undefined;
  /** Next expected sequence number in each direction, to detect retransmissions. */
  readonly next: { request: number | undefined; response: number | undefined };
}

const REQUEST_ID = /x-request-id: ([0-9a-f-]+)/i;
const TOKENS = /"delta":\{"content":"[^"]/g;

/**
 * Reads the requests and responses of a packet capture. Returns them by `X-Request-ID`. Requests on a
 * connection must be sequential. Tokens whose event is split between packets are missing, so callers must check
 * the number of tokens; the simulator never splits events.
 */
export function readExchanges(capture: Buffer, port: number): Map<string, WireExchange> {
  const connections = new Map<number, Connection>();
  const exchanges = new Map<string, WireExchange>();
  for (const packet of readPackets(capture)) {
    const isRequest = packet.to === port;
    const client = isRequest ? packet.from : packet.to;
    if (packet.isSyn) {
      if (isRequest)
        connections.set(client, {
          synNs: packet.atNs,
          exchange: undefined,
          next: { request: undefined, response: undefined },
        });
      continue;
    }
    const connection = connections.get(client);
    if (!connection || isRetransmission(connection, packet, isRequest ? 'request' : 'response')) continue;
    if (isRequest) addRequest(connection, packet, exchanges);
    else addResponse(connection, packet);
  }
  return exchanges;
}

function isRetransmission({ next }: Connection, packet: Packet, direction: 'request' | 'response'): boolean {
  const { sequence, payload } = packet;
  const expected = next[direction];
  if (expected !== undefined && ((sequence - expected) | 0) < 0) return true;
  next[direction] = (sequence + payload.length) >>> 0;
  return false;
}

function addRequest(
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

function addResponse({ exchange }: Connection, { atNs, payload }: Packet): void {
  for (const _ of payload.toString('latin1').matchAll(TOKENS)) exchange?.tokensNs.push(atNs);
}
