import { ByteQueue } from './byteQueue.ts';
import { computeCrc32c } from './crc32c.ts';
import { ProtobufError } from './protobuf.ts';

/** Maximum size of a frame. Prometheus writes frames of about 1 MB (`storage.remote.read-max-bytes-in-frame`). */
const MAX_FRAME_BYTES = 256 * 1024 ** 2;
/** Maximum length of the length of a frame. */
const MAX_VARINT_BYTES = 10;
const CHECKSUM_BYTES = 4;

/**
 * Splits a streamed response of remote read into its messages. Each is preceded by its length, as a varint, and its
 * CRC-32C checksum. Throws `ProtobufError` if a message is damaged or incomplete.
 */
export async function* splitFrames(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const queue = new ByteQueue();
  for await (const bytes of body) {
    queue.push(bytes);
    for (let frame = takeFrame(queue); frame !== undefined; frame = takeFrame(queue)) yield frame;
  }
  if (queue.length > 0)
    throw new ProtobufError(`the response ends within a message, after ${queue.length} bytes of it`);
}

/** Removes the next frame; returns undefined if it is not complete yet. */
function takeFrame(queue: ByteQueue): Uint8Array | undefined {
  const header = queue.peek(Math.min(queue.length, MAX_VARINT_BYTES));
  const size = header.findIndex(byte => byte < 0x80) + 1;
  if (size === 0) {
    if (header.length === MAX_VARINT_BYTES)
      throw new ProtobufError('the length of a message is not a number');
    return undefined;
  }
  const length = header.subarray(0, size).reduce((sum, byte, at) => sum + (byte & 0x7f) * 128 ** at, 0);
  if (length > MAX_FRAME_BYTES)
    throw new ProtobufError(`a message has ${length} bytes; the maximum is ${MAX_FRAME_BYTES}`);
  if (queue.length < size + CHECKSUM_BYTES + length) return undefined;
  queue.take(size);
  const expected = toUint32(queue.take(CHECKSUM_BYTES));
  const frame = queue.take(length);
  if (computeCrc32c(frame) !== expected)
    throw new ProtobufError('the checksum of a message does not match its contents');
  return frame;
}

function toUint32(bytes: Uint8Array): number {
  return ((bytes[0]! << 24) | (bytes[1]! << 16) | (bytes[2]! << 8) | bytes[3]!) >>> 0;
}
