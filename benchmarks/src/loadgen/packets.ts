/**
 * Reads capture files in libpcap format (draft-ietf-opsawg-pcap, section 4). Supports only nanosecond timestamps,
 * Ethernet frames (which the loopback device also uses), IPv4 and TCP.
 */

/** One TCP segment. */
export interface Packet {
  /** Kernel timestamp, as Unix time in nanoseconds. */
  readonly atNs: bigint;
  /** Source port. */
  readonly from: number;
  /** Destination port. */
  readonly to: number;
  readonly isSyn: boolean;
  /** Sequence number of the first byte; wraps at 2^32. */
  readonly sequence: number;
  readonly payload: Buffer;
}

const NANOSECOND_MAGIC = 0xa1b23c4d;
const ETHERNET_LINK_TYPE = 1;
const FILE_HEADER_BYTES = 24;
const PACKET_HEADER_BYTES = 16;
const FRAME_HEADER_BYTES = 14;
const IPV4 = 0x0800;
const TCP = 6;
const SYN = 0x02;

/** Yields the TCP segments of a capture file. Skips a truncated last packet. Throws if the file has another format. */
export function* readPackets(file: Buffer): Generator<Packet> {
  const magic = file.readUInt32LE(0);
  const link = file.readUInt32LE(20);
  if (magic !== NANOSECOND_MAGIC || link !== ETHERNET_LINK_TYPE)
    throw new Error(
      `the capture has magic ${magic.toString(16)} and link type ${link}; expected a1b23c4d and 1`,
    );
  for (let offset = FILE_HEADER_BYTES; offset + PACKET_HEADER_BYTES <= file.length; ) {
    const atNs = BigInt(file.readUInt32LE(offset)) * 1_000_000_000n + BigInt(file.readUInt32LE(offset + 4));
    const start = offset + PACKET_HEADER_BYTES;
    offset = start + file.readUInt32LE(offset + 8);
    if (offset > file.length) return;
    const packet = parseSegment(atNs, file.subarray(start, offset));
    if (packet) yield packet;
  }
}

function parseSegment(atNs: bigint, frame: Buffer): Packet | undefined {
  if (frame.readUInt16BE(12) !== IPV4 || frame[FRAME_HEADER_BYTES + 9] !== TCP) return undefined;
  const ip = frame.subarray(FRAME_HEADER_BYTES);
  const tcp = ip.subarray(4 * (ip[0]! & 15), ip.readUInt16BE(2));
  return {
    atNs,
    from: tcp.readUInt16BE(0),
    to: tcp.readUInt16BE(2),
    isSyn: (tcp[13]! & SYN) !== 0,
    sequence: tcp.readUInt32BE(4),
    payload: tcp.subarray(4 * (tcp[12]! >> 4)),
  };
}
