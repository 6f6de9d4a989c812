import type { OnReadOpts, Socket } from 'node:net';

/** Size of the shared buffer. A typical body of an inference server (126 KB) takes one or two reads. */
const BUFFER_BYTES = 256 * 1024;

/** The buffer that all sockets read into. Its content is consumed before the next read starts. */
const buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);

/** The bytes read from each socket that are not yet consumed. */
const unread = new WeakMap<Socket, Buffer>();

/**
 * The `onread` option of `net.connect` that makes all sockets read into one shared buffer. By default, Node
 * allocates 64 KB per read, which becomes garbage as soon as it is parsed. Sockets with this option must also
 * be passed to `attachSharedReads`, because their streams have no data.
 */
export const sharedReadOptions: OnReadOpts = {
  buffer,
  callback(this: Socket, length: number): boolean {
    const previous = unread.get(this);
    const bytes = buffer.subarray(0, length);
    unread.set(this, previous ? Buffer.concat([previous, bytes]) : bytes);
    this.emit('readable');
    const remaining = unread.get(this);
    // Copy unconsumed bytes: the next read of any socket overwrites the shared buffer.
    if (remaining) unread.set(this, Buffer.from(remaining));
    return true;
  },
} as OnReadOpts;

/**
 * Makes `read` of a socket that was opened with `sharedReadOptions` return bytes of the shared buffer. The
 * reader must consume them immediately whenever the socket is readable, as undici's parser does.
 */
export function attachSharedReads(socket: Socket): void {
  const readFromStream = socket.read.bind(socket);
  socket.read = (size?: number): Buffer | null => {
    // The stream itself calls `read(0)` to start reading and to detect the end of the data.
    if (size === 0) return readFromStream(0);
    const bytes = unread.get(socket) ?? null;
    unread.delete(socket);
    return bytes;
  };
}
