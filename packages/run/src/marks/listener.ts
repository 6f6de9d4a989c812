import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import {
  type MarkAnswer,
  type MarkRequest,
  MarkRequestError,
  parseRequest,
  REQUEST_BYTES,
} from './protocol.ts';
import { isShortEnough, POINTER_NAME, shortFolders, socketElsewhere, socketName } from './socketPath.ts';
import { isDead, removeDead } from './staleSockets.ts';

/** So many may be connected at a time; further ones are turned away. */
const MOST_CONNECTIONS = 32;
/** A request is there within this time, in ms. */
const REQUEST_MS = 5000;
/** Runs that listen in one folder at a time. */
const MOST_SOCKETS = 20;

export type MarkHandler = (request: MarkRequest) => Promise<MarkAnswer>;

/**
 * Takes marks from other processes of the same user: a socket in the artifact folder, or in a private temporary one where the
 * path would be too long or the file system has no sockets.
 */
export class MarkListener {
  readonly path: string;
  readonly #server: Server;
  readonly #sockets: ReadonlySet<Socket>;
  readonly #place: Place;
  /** For a process that quits without closing. */
  readonly #onExit = (): void => this.remove();

  private constructor(server: Server, sockets: ReadonlySet<Socket>, place: Place) {
    this.path = place.path;
    this.#server = server;
    this.#sockets = sockets;
    this.#place = place;
    process.once('exit', this.#onExit);
  }

  /** Begins to listen. Rejects when that can be nowhere. */
  static async open(folder: string, handle: MarkHandler): Promise<MarkListener> {
    const sockets = new Set<Socket>();
    const server = createServer({ allowHalfOpen: true }, socket => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      void serve(socket, handle);
    });
    server.maxConnections = MOST_CONNECTIONS;
    await removeDead(folder);
    const place = (await listenIn(server, folder)) ?? (await listenElsewhere(server, folder));
    // What goes wrong with a single connection does not end the others.
    server.on('error', () => {});
    server.unref();
    return new MarkListener(server, sockets, place);
  }

  /** Ends listening; who waits for an answer sees that there will be none. */
  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
    this.remove();
  }

  /** Removes the files, at once: for a process that ends without closing. */
  remove(): void {
    process.off('exit', this.#onExit);
    const { path, temporary, pointer } = this.#place;
    rmSync(path, { force: true });
    if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
    if (pointer !== undefined && socketElsewhere(dirname(pointer)) === path) rmSync(pointer, { force: true });
  }
}

interface Place {
  readonly path: string;
  /** The private folder of a socket that is not in the artifact folder. */
  readonly temporary?: string;
  /** The file in the artifact folder that says where such a socket is. */
  readonly pointer?: string;
}

/** Undefined where there can be no socket in the folder. */
async function listenIn(server: Server, folder: string): Promise<Place | undefined> {
  for (let n = 1; n <= MOST_SOCKETS; n++) {
    const path = join(folder, socketName(n));
    if (!isShortEnough(path)) return undefined;
    const code = await tryListen(server, path);
    if (code === undefined) return { path };
    if (code !== 'EADDRINUSE') return undefined;
    if (!(await isDead(path))) continue;
    unlinkSync(path);
    if ((await tryListen(server, path)) === undefined) return { path };
  }
  return undefined;
}

async function listenElsewhere(server: Server, folder: string): Promise<Place> {
  let code: string | undefined = 'no short path for a socket';
  for (const short of shortFolders()) {
    const temporary = mkdtempSync(join(short, 'servelens-'));
    const path = join(temporary, socketName(1));
    code = await tryListen(server, path);
    if (code === undefined) return { path, temporary, ...pointerTo(path, folder) };
    rmSync(temporary, { recursive: true, force: true });
  }
  throw new Error(`cannot listen on a socket: ${code}`);
}

/** Where the folder takes no file, as on a full disk, the command alone knows the socket. */
function pointerTo(path: string, folder: string): Pick<Place, 'pointer'> {
  const pointer = join(folder, POINTER_NAME);
  try {
    writeFileSync(pointer, `${path}\n`, { mode: 0o600 });
    return { pointer };
  } catch {
    return {};
  }
}

/** The code of what went wrong; undefined when the server listens. */
async function tryListen(server: Server, path: string): Promise<string | undefined> {
  // The file is there before its mode could be changed: nobody else may connect meanwhile.
  const before = process.umask(0o177);
  try {
    server.listen(path);
  } finally {
    process.umask(before);
  }
  try {
    await once(server, 'listening');
    chmodSync(path, 0o600);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? (error as Error).message;
  }
}

/** One request and its answer. Whoever goes away in between has made the mark all the same. */
async function serve(socket: Socket, handle: MarkHandler): Promise<void> {
  socket.on('error', () => {});
  const line = await requestOf(socket);
  if (line === undefined) {
    socket.destroy();
    return;
  }
  const answer = await answerOf(line, handle);
  if (!socket.destroyed) socket.end(`${JSON.stringify(answer)}\n`);
}

async function answerOf(line: Uint8Array, handle: MarkHandler): Promise<MarkAnswer> {
  try {
    if (line.length > REQUEST_BYTES)
      throw new MarkRequestError(`the request is longer than ${REQUEST_BYTES} bytes`);
    return await handle(parseRequest(line));
  } catch (error) {
    if (!(error instanceof MarkRequestError)) throw error;
    return { ok: false, error: error.message };
  }
}

/** The bytes of the first line, or more than may be; undefined when there is none in time. */
function requestOf(socket: Socket): Promise<Uint8Array | undefined> {
  return new Promise(resolve => {
    let bytes = Buffer.alloc(0);
    const timer = setTimeout(() => resolve(undefined), REQUEST_MS).unref();
    const done = (line: Uint8Array | undefined): void => {
      clearTimeout(timer);
      socket.off('data', take);
      // What follows the line is not kept.
      socket.resume();
      resolve(line);
    };
    const take = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk]);
      const end = bytes.indexOf(0x0a);
      if (end >= 0) done(bytes.subarray(0, end));
      else if (bytes.length > REQUEST_BYTES) done(bytes);
    };
    socket.on('data', take);
    socket.on('end', () => done(bytes.length > 0 ? bytes : undefined));
    socket.on('close', () => done(undefined));
  });
}
