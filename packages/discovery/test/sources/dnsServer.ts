import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

/** An SRV record: https://www.rfc-editor.org/rfc/rfc2782 */
export interface SrvRecord {
  readonly target: string;
  readonly port: number;
}

const HEADER_BYTES = 12;
const NAME_ERROR = 3;
const SRV_TYPE = 33;

/** Starts a name server on loopback for one test. It answers each query with the current records. Returns its address. */
export async function startDnsServer(readRecords: () => readonly SrvRecord[]): Promise<string> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    socket.send(createResponse(query, readRecords()), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return `127.0.0.1:${socket.address().port}`;
}

function createResponse(query: Buffer, records: readonly SrvRecord[]): Buffer {
  const question = query.subarray(HEADER_BYTES, findQuestionEnd(query));
  const header = Buffer.alloc(HEADER_BYTES);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | (records.length === 0 ? NAME_ERROR : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, question, ...records.map(encodeRecord)]);
}

function findQuestionEnd(query: Buffer): number {
  let offset = HEADER_BYTES;
  while (query[offset] !== 0) offset += query[offset]! + 1;
  return offset + 5;
}

function encodeRecord({ target, port }: SrvRecord): Buffer {
  const name = encodeName(target);
  const record = Buffer.alloc(18);
  // A pointer to the name of the question, then type, class, time to live, length, priority, weight and port.
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(SRV_TYPE, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(1, 6);
  record.writeUInt16BE(6 + name.length, 10);
  record.writeUInt16BE(port, 16);
  return Buffer.concat([record, name]);
}

function encodeName(name: string): Buffer {
  const labels = name.split('.').map(label => Buffer.from(`\0${label}`));
  for (const label of labels) label[0] = label.length - 1;
  return Buffer.concat([...labels, Buffer.from([0])]);
}
