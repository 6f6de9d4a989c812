import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The environment variable that passes the path of the socket to the command of a collect run. */
export const SOCKET_VARIABLE = 'SERVELENS_SOCKET';

/** Matches the names of sockets in an artifact folder. */
const SOCKET_NAME = /^servelens(-\d+)?\.sock$/;
/** Name of the file that contains the path of a socket outside of the artifact folder. */
export const POINTER_NAME = 'servelens.sock.path';

/**
 * Maximum length of the path of a socket in bytes, without the NUL: `sun_path` has 108 on Linux, 104 on macOS
 * and the BSDs.
 */
const MAX_PATH_BYTES = process.platform === 'linux' ? 107 : 103;

/** Reports whether a path is short enough for a socket. */
export function fitsSocketPath(path: string): boolean {
  return Buffer.byteLength(path) <= MAX_PATH_BYTES;
}

/** Formats the name of the nth socket of a folder. The first `n` is 1. */
export function formatSocketName(n: number): string {
  return n === 1 ? 'servelens.sock' : `servelens-${n}.sock`;
}

/** Lists the folders for temporary files whose paths are short enough for a socket. */
export function listTemporaryFolders(): string[] {
  return [...new Set([tmpdir(), '/tmp'])].filter(folder =>
    fitsSocketPath(join(folder, 'servelens-XXXXXX', formatSocketName(1))),
  );
}

/**
 * Lists the socket paths of the runs in a folder, including stale sockets. Throws the error of `node:fs` for
 * an unreadable folder.
 */
export function listSockets(folder: string): string[] {
  const names = readdirSync(folder);
  const sockets = names.filter(name => SOCKET_NAME.test(name)).sort();
  const externalSocket = readPointer(folder);
  return [
    ...sockets.map(name => join(folder, name)),
    ...(externalSocket === undefined ? [] : [externalSocket]),
  ];
}

/** Reads the path of a socket outside the folder of its run; undefined if no such path is recorded. */
export function readPointer(folder: string): string | undefined {
  try {
    const path = readFileSync(join(folder, POINTER_NAME), 'utf8').slice(0, 4096).trim();
    return path === '' ? undefined : path;
  } catch {
    return undefined;
  }
}
