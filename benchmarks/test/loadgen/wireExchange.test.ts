import { describe, expect, test } from 'vitest';
import { readPackets } from '../../src/loadgen/packets.ts';
import { readExchanges } from '../../src/loadgen/wireExchange.ts';

const PORT = 8000;
const CLIENT = 50_000;

interface PacketSpec {
  readonly us: number;
  readonly isRequest: boolean;
  readonly sequence: number;
  readonly text?: string;
  readonly isSyn?: boolean;
}

/** Creates a capture file in libpcap format with nanosecond timestamps. */
function createCapture(packets: readonly PacketSpec[]): Buffer {
  const head = Buffer.alloc(24);
  head.writeUInt32LE(0xa1b23c4d, 0);
  head.writeUInt32LE(1, 20);
  return Buffer.concat([head, ...packets.map(createPacket)]);
}

function createPacket({ us, isRequest, sequence, text = '', isSyn = false }: PacketSpec): Buffer {
  const frame = Buffer.alloc(14 + 20 + 20 + text.length);
  frame.writeUInt16BE(0x0800, 12);
  const ip = frame.subarray(14);
  ip[0] = 0x45;
  ip.writeUInt16BE(40 + text.length, 2);
  ip[9] = 6;
  const tcp = ip.subarray(20);
  tcp.writeUInt16BE(isRequest ? CLIENT : PORT, 0);
  tcp.writeUInt16BE(isRequest ? PORT : CLIENT, 2);
  tcp.writeUInt32BE(sequence, 4);
  tcp[12] = 5 << 4;
  tcp[13] = isSyn ? 0x02 : 0x18;
  tcp.write(text, 20, 'latin1');
  const head = Buffer.alloc(16);
  head.writeUInt32LE(1, 0);
  head.writeUInt32LE(us * 1000, 4);
  head.writeUInt32LE(frame.length, 8);
  head.writeUInt32LE(frame.length, 12);
  return Buffer.concat([head, frame]);
}

const request = (id: string): string => `POST /v1/chat/completions HTTP/1.1\r\nX-Request-ID: ${id}\r\n\r\n{}`;
const token = (text: string): string => `data: {"choices":[{"delta":{"content":"${text}"}}]}\n\n`;
const atNs = (us: number): bigint => 1_000_000_000n + BigInt(us) * 1000n;

describe('readPackets', () => {
  test('reads TCP segments and skips a truncated last packet', () => {
    const capture = createCapture([
      { us: 5, isRequest: true, sequence: 9, text: 'abc' },
      { us: 6, isRequest: false, sequence: 1, text: 'defg' },
    ]);
    const packets = [...readPackets(capture.subarray(0, capture.length - 1))];
    expect(packets).toHaveLength(1);
    expect(packets[0]).toMatchObject({ atNs: atNs(5), from: CLIENT, to: PORT, isSyn: false, sequence: 9 });
    expect(packets[0]!.payload.toString()).toBe('abc');
  });

  test('rejects other formats', () => {
    expect(() => [...readPackets(Buffer.alloc(24))]).toThrow('expected a1b23c4d and 1');
  });
});

test('reads two requests on one connection', () => {
  const [first, second] = [request('aaaa-1'), request('bbbb-2')];
  const [one, two, three] = [token('one'), token(' two'), token(' three')];
  const exchanges = readExchanges(
    createCapture([
      { us: 1, isRequest: true, sequence: 99, isSyn: true },
      { us: 2, isRequest: true, sequence: 100, text: first },
      { us: 10, isRequest: false, sequence: 1, text: one },
      // A retransmission does not count.
      { us: 15, isRequest: false, sequence: 1, text: one },
      { us: 20, isRequest: false, sequence: 1 + one.length, text: two },
      { us: 30, isRequest: true, sequence: 100 + first.length, text: second },
      { us: 31, isRequest: true, sequence: 100 + first.length + second.length, text: 'rest of the body' },
      { us: 40, isRequest: false, sequence: 1 + one.length + two.length, text: three },
    ]),
    PORT,
  );
  expect([...exchanges]).toEqual([
    ['aaaa-1', { connectNs: atNs(1), sentNs: atNs(2), requestedNs: atNs(2), tokensNs: [atNs(10), atNs(20)] }],
    ['bbbb-2', { connectNs: undefined, sentNs: atNs(30), requestedNs: atNs(31), tokensNs: [atNs(40)] }],
  ]);
});
