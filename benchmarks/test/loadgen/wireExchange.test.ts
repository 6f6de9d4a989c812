import { describe, expect, test } from 'vitest';
import { readPackets } from '../../src/loadgen/packets.ts';
import { readExchanges } from '../../src/loadgen/wireExchange.ts';

const PORT = 8000;
const CLIENT = 50_000;

/** A packet between the client and the server. */
interface PacketSpec {
  /** Microseconds after the first second of Unix time. */
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

const formatRequest = (id: string): string =>
  `POST /v1/chat/completions HTTP/1.1\r\nX-Request-ID: ${id}\r\n\r\n{}`;
const formatToken = (text: string): string => `data: {"choices":[{"delta":{"content":"${text}"}}]}\n\n`;
const toKernelNs = (us: number): bigint => 1_000_000_000n + BigInt(us) * 1000n;

describe('readPackets', () => {
  test('reads TCP segments and skips a truncated last packet', () => {
    const capture = createCapture([
      { us: 5, isRequest: true, sequence: 9, text: 'abc' },
      { us: 6, isRequest: false, sequence: 1, text: 'defg' },
    ]);
    const packets = [...readPackets(capture.subarray(0, capture.length - 1))];
    expect(packets).toHaveLength(1);
    expect(packets[0]).toMatchObject({
      atNs: toKernelNs(5),
      from: CLIENT,
      to: PORT,
      isSyn: false,
      sequence: 9,
    });
    expect(packets[0]!.payload.toString()).toBe('abc');
  });

  test('rejects files in another format', () => {
    expect(() => [...readPackets(Buffer.alloc(24))]).toThrow('expected a1b23c4d and 1');
  });
});

test('reads sequential requests on one connection, ignoring retransmissions', () => {
  const [first, second] = [formatRequest('aaaa-1'), formatRequest('bbbb-2')];
  const [token1, token2, token3] = [formatToken('one'), formatToken(' two'), formatToken(' three')];
  const exchanges = readExchanges(
    createCapture([
      { us: 1, isRequest: true, sequence: 99, isSyn: true },
      { us: 2, isRequest: true, sequence: 100, text: first },
      { us: 10, isRequest: false, sequence: 1, text: token1 },
      // This retransmission must not count as a token.
      { us: 15, isRequest: false, sequence: 1, text: token1 },
      { us: 20, isRequest: false, sequence: 1 + token1.length, text: token2 },
      { us: 30, isRequest: true, sequence: 100 + first.length, text: second },
      { us: 31, isRequest: true, sequence: 100 + first.length + second.length, text: 'rest of the body' },
      { us: 40, isRequest: false, sequence: 1 + token1.length + token2.length, text: token3 },
    ]),
    PORT,
  );
  expect([...exchanges]).toEqual([
    [
      'aaaa-1',
      {
        connectNs: toKernelNs(1),
        sentNs: toKernelNs(2),
        requestedNs: toKernelNs(2),
        tokensNs: [toKernelNs(10), toKernelNs(20)],
      },
    ],
    [
      'bbbb-2',
      {
        connectNs: undefined,
        sentNs: toKernelNs(30),
        requestedNs: toKernelNs(31),
        tokensNs: [toKernelNs(40)],
      },
    ],
  ]);
});
