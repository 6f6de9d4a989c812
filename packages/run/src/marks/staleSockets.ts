import { once } from 'node:events';
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { basename, dirname, join } from 'node:path';
import {
  formatSocketName,
  listSockets,
  listTemporaryFolders,
  POINTER_NAME,
  readPointer,
} from './socketPath.ts';

/** Reports whether a socket is stale: no process listens on it, because its run was killed. */
export async function isStale(path: string): Promise<boolean> {
  if (!lstatSync(path, { throwIfNoEntry: false })?.isSocket()) return false;
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
  } finally {
    socket.destroy();
  }
}

/** Reports whether an active run listens in a folder. */
export async function isListening(folder: string): Promise<boolean> {
  const paths = listNames(folder) ? listSockets(folder) : [];
  const stale = await Promise.all(
    paths.map(async path => !lstatSync(path, { throwIfNoEntry: false })?.isSocket() || (await isStale(path))),
  );
  return stale.includes(false);
}

/** Removes the stale sockets of a folder, including one in a temporary folder. */
export async function removeStaleSockets(folder: string): Promise<void> {
  if (!listNames(folder)) return;
  const externalSocket = readPointer(folder);
  for (const path of listSockets(folder))
    if (path !== externalSocket && (await isStale(path))) rmSync(path, { force: true });
  if (externalSocket === undefined) return;
  const isMissing = !lstatSync(externalSocket, { throwIfNoEntry: false });
  if (!isMissing && !(await isStale(externalSocket))) return;
  rmSync(join(folder, POINTER_NAME), { force: true });
  // The pointer is not trusted: only a folder that this package can have created is removed.
  if (isSocketFolder(externalSocket)) rmSync(dirname(externalSocket), { recursive: true, force: true });
}

/** Reports whether a path has the form `/tmp/servelens-aB3xYz/servelens.sock`, and the folder contains nothing else. */
function isSocketFolder(path: string): boolean {
  const folder = dirname(path);
  const isNamed =
    basename(path) === formatSocketName(1) && /^servelens-[A-Za-z0-9]{6}$/.test(basename(folder));
  if (!isNamed || !listTemporaryFolders().includes(dirname(folder))) return false;
  return listNames(folder)?.every(name => name === formatSocketName(1)) === true;
}

function listNames(folder: string): readonly string[] | undefined {
  try {
    return readdirSync(folder);
  } catch {
    return undefined;
  }
}
