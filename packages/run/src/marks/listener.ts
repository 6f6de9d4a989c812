import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { describeSystemError } from '@org/core';
import {
  MAX_REQUEST_BYTES,
  type MarkRequest,
  MarkRequestError,
  type MarkResponse,
  parseRequest,
} from './protocol.ts';
import {
  fitsSocketPath,
  formatSocketName,
  listTemporaryFolders,
  POINTER_NAME,
  readPointer,
} from './socketPath.ts';
import { isStale, removeStaleSockets } from './staleSockets.ts';

/** Maximum number of concurrent connections. Further connections are rejected. */
const MAX_CONNECTIONS = 32;
/** Maximum wait for a request, in milliseconds. */
const REQUEST_TIMEOUT_MS = 5000;
/** Maximum number of concurrent runs that listen in one folder. */
const MAX_SOCKETS = 20;

export type MarkHandler = (request: MarkRequest) => Promise<MarkResponse>;

/**
 * Accepts marks from other processes of the same user. The socket is in the artifact folder, or in a private
 * temporary folder if its path would be too long or the file system does not support sockets.
 */
export class MarkListener {
  readonly path: string;
  readonly #server: Server;
  readonly #sockets: ReadonlySet<Socket>;
  readonly #location: SocketLocation;
  /** Removes the files of a process that exits without `close`. */
  readonly #onExit = (): void => this.remove();

  private constructor(server: Server, sockets: ReadonlySet<Socket>, location: SocketLocation) {
    this.path = location.path;
    this.#server = server;
    this.#sockets = sockets;
    this.#location = location;
    process.once('exit', this.#onExit);
  }

  /** Starts to listen. Throws if a socket can be created in neither the artifact folder nor a temporary folder. */
  static async open(folder: string, handle: MarkHandler): Promise<MarkListener> {
    const sockets = new Set<Socket>();
    const server = createServer({ allowHalfOpen: true }, socket => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      void serve(socket, handle);
    });
    server.maxConnections = MAX_CONNECTIONS;
    await removeStaleSockets(folder);
    const location = (await listenIn(server, folder)) ?? (await listenInTemporaryFolder(server, folder));
    // An error of one connection does not affect the others.
    server.on('error', () => {});
    server.unref();
    return new MarkListener(server, sockets, location);
  }

  /** Stops listening and closes all connections, including those that wait for a response. */
  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
    this.remove();
  }

  /** Removes the socket, its temporary folder and its pointer file, synchronously. */
  remove(): void {
    process.off('exit', this.#onExit);
    const { path, temporary, pointer } = this.#location;
    rmSync(path, { force: true });
    if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
    if (pointer !== undefined && readPointer(dirname(pointer)) === path) rmSync(pointer, { force: true });
  }
}

interface SocketLocation {
  readonly path: string;
  /** The temporary folder of a socket that is not in the artifact folder. */
  readonly temporary?: string;
  /** The file in the artifact folder that contains the path of such a socket. */
  readonly pointer?: string;
}

/** Listens in a folder. Returns undefined if no socket can be created there. */
async function listenIn(server: Server, folder: string): Promise<SocketLocation | undefined> {
  for (let n = 1; n <= MAX_SOCKETS; n++) {
    const path = join(folder, formatSocketName(n));
    if (!fitsSocketPath(path)) return undefined;
    const error = await tryListen(server, path);
    if (error === undefined) return { path };
    if (error.code !== 'EADDRINUSE') return undefined;
    if (!(await isStale(path))) continue;
    unlinkSync(path);
    if ((await tryListen(server, path)) === undefined) return { path };
  }
  return undefined;
}

async function listenInTemporaryFolder(server: Server, folder: string): Promise<SocketLocation> {
  let problem = 'no temporary folder has a path short enough for a socket';
  for (const parent of listTemporaryFolders()) {
    const temporary = mkdtempSync(join(parent, 'servelens-'));
    const path = join(temporary, formatSocketName(1));
    const error = await tryListen(server, path);
    if (error === undefined) return { path, temporary, ...writePointer(path, folder) };
    problem = describeSystemError(error);
    rmSync(temporary, { recursive: true, force: true });
  }
  throw new Error(`cannot create a socket for marks: ${problem}`);
}

/** Writes the pointer file. Without it, for example on a full disk, only the command of the run can find the socket. */
function writePointer(path: string, folder: string): Pick<SocketLocation, 'pointer'> {
  const pointer = join(folder, POINTER_NAME);
  try {
    writeFileSync(pointer, `${path}\n`, { mode: 0o600 });
    return { pointer };
  } catch {
    return {};
  }
}

/** Listens on a path. Returns the error; undefined if the server listens. */
async function tryListen(server: Server, path: string): Promise<NodeJS.ErrnoException | undefined> {
  // The socket exists before its mode can be changed, and other users must not connect in between.
  const previousMask = process.umask(0o177);
  try {
    server.listen(path);
  } finally {
    process.umask(previousMask);
  }
  try {
    await once(server, 'listening');
    chmodSync(path, 0o600);
    return undefined;
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
}

/** Handles one request. The mark is recorded even if the client disconnects before the response. */
async function serve(socket: Socket, handle: MarkHandler): Promise<void> {
  socket.on('error', () => {});
  const line = await readRequest(socket);
  if (line === undefined) {
    socket.destroy();
    return;
  }
  const response = await respond(line, handle);
  if (!socket.destroyed) socket.end(`${JSON.stringify(response)}\n`);
}

async function respond(line: Uint8Array, handle: MarkHandler): Promise<MarkResponse> {
  try {
    if (line.length > MAX_REQUEST_BYTES)
      throw new MarkRequestError(`the request is longer than ${MAX_REQUEST_BYTES} bytes`);
    return await handle(parseRequest(line));
  } catch (error) {
    if (!(error instanceof MarkRequestError)) throw error;
    return { ok: false, error: error.message };
  }
}

/**
 * Reads the first line; if it is too long, its first bytes. Returns undefined if the request does not arrive
 * in time.
 */
function readRequest(socket: Socket): Promise<Uint8Array | undefined> {
  return new Promise(resolve => {
    let bytes = Buffer.alloc(0);
    const timer = setTimeout(() => resolve(undefined), REQUEST_TIMEOUT_MS).unref();
    const finish = (line: Uint8Array | undefined): void => {
      clearTimeout(timer);
      socket.off('data', onData);
      // Discards data after the line.
      socket.resume();
      resolve(line);
    };
    const onData = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk]);
      const end = bytes.indexOf(0x0a);
      if (end >= 0) finish(bytes.subarray(0, end));
      else if (bytes.length > MAX_REQUEST_BYTES) finish(bytes);
    };
    socket.on('data', onData);
    socket.on('end', () => finish(bytes.length > 0 ? bytes : undefined));
    socket.on('close', () => finish(undefined));
  });
}
