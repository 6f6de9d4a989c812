import type { OnReadOpts, Socket } from 'node:net';

/** A typical body of an inference server (126 KB) takes one or two reads. */
const BUFFER_BYTES = 256 * 1024;

/** All sockets read into this buffer: its content is consumed before the next read starts. */
const buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);

/** Bytes that were read from each socket but not yet consumed. */
const unread = new WeakMap<Socket, Buffer>();

/**
 * `onread` options for `net.connect` that read into one buffer shared by all sockets. Otherwise Node
 * allocates 64 KB per read, which becomes garbage as soon as it is parsed. A socket opened with these options
 * emits no data by itself: see `attachSharedReads`.
 */
export const sharedReadOptions: OnReadOpts = {
  buffer,
  callback(this: Socket, length: number): boolean {
    const previous = unread.get(this);
    const bytes = buffer.subarray(0, length);
    unread.set(this, previous ? Buffer.concat([previous, bytes]) : bytes);
    this.emit('readable');
    const remaining = unread.get(this);
    // The shared buffer is overwritten by the next read of any socket.
    if (remaining) unread.set(this, Buffer.from(remaining));
    return true;
  },
} as OnReadOpts;

/**
 * Makes `read` of a socket that was opened with `sharedReadOptions` return the shared bytes. The reader must
 * consume them at once whenever the socket is readable, as undici's parser does.
 */
export function attachSharedReads(socket: Socket): void {
  const read = socket.read.bind(socket);
  socket.read = (size?: number): Buffer | null => {
    // The stream calls `read(0)` to start reading and to detect the end.
    if (size === 0) return read(0);
    const bytes = unread.get(socket) ?? null;
    unread.delete(socket);
    return bytes;
  };
}
