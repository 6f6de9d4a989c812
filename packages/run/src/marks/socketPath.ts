import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The environment variable in which a command that we run finds the socket. */
export const SOCKET_VARIABLE = 'SERVELENS_SOCKET';

/** In an artifact folder: the socket, or, where the folder's path is too long for one, a file that says where it is. */
const SOCKET_NAME = /^servelens(-\d+)?\.sock$/;
export const POINTER_NAME = 'servelens.sock.path';

/** Bytes of a socket's path: sun_path without its NUL, 108 bytes on Linux and 104 on macOS and the BSDs. */
const MOST_BYTES = process.platform === 'linux' ? 107 : 103;

export function isShortEnough(path: string): boolean {
  return Buffer.byteLength(path) <= MOST_BYTES;
}

/** The name of the nth socket of a folder, n from 1. */
export function socketName(n: number): string {
  return n === 1 ? 'servelens.sock' : `servelens-${n}.sock`;
}

/** Folders for temporary files whose paths are short enough, the likely one first. */
export function shortFolders(): string[] {
  return [...new Set([tmpdir(), '/tmp'])].filter(folder =>
    isShortEnough(join(folder, 'servelens-XXXXXX', socketName(1))),
  );
}

/** Where sockets of the runs in a folder may be. Throws the error of `node:fs` for a folder that cannot be read. */
export function socketsIn(folder: string): string[] {
  const names = readdirSync(folder);
  const own = names.filter(name => SOCKET_NAME.test(name)).sort();
  const elsewhere = socketElsewhere(folder);
  return [...own.map(name => join(folder, name)), ...(elsewhere === undefined ? [] : [elsewhere])];
}

/** The socket of a run in a folder that takes none; undefined when nothing says that there is one. */
export function socketElsewhere(folder: string): string | undefined {
  try {
    const path = readFileSync(join(folder, POINTER_NAME), 'utf8').slice(0, 4096).trim();
    return path === '' ? undefined : path;
  } catch {
    return undefined;
  }
}
