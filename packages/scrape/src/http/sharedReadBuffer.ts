import type { OnReadOpts, Socket } from 'node:net';

/** A body of an inference server, 126 KB, in one or two reads. */
const BYTES = 256 * 1024;

/** All sockets read into it: what is read is given on before anything else can be. */
const buffer = Buffer.allocUnsafeSlow(BYTES);

/** What has just been read from a socket, until its reader takes it. */
const unread = new WeakMap<Socket, Buffer>();

/**
 * For `net.connect`: reads into memory that all sockets share. Otherwise every read makes 64 KB of new memory, which is garbage as soon
 * as it is parsed. The streaming part of such a socket gives no data by itself: see `attachSharedReads`.
 */
export const sharedReadOptions: OnReadOpts = {
  buffer,
  callback(this: Socket, length: number): boolean {
    const before = unread.get(this);
    const bytes = buffer.subarray(0, length);
    unread.set(this, before ? Buffer.concat([before, bytes]) : bytes);
    this.emit('readable');
    const left = unread.get(this);
    // The memory belongs to the next read, of whatever socket.
    if (left) unread.set(this, Buffer.from(left));
    return true;
  },
} as OnReadOpts;

/**
 * Gives such a socket a `read` that gives what is in the shared memory, for a reader that takes it at once whenever the socket is
 * readable, and is done with it when it returns, as undici's parser is.
 */
export function attachSharedReads(socket: Socket): void {
  const read = socket.read.bind(socket);
  socket.read = (size?: number): Buffer | null => {
    // The stream asks for 0 bytes to begin reading and to find its end.
    if (size === 0) return read(0);
    const bytes = unread.get(socket) ?? null;
    unread.delete(socket);
    return bytes;
  };
}
