import { once } from 'node:events';
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { POINTER_NAME, shortFolders, socketElsewhere, socketName, socketsIn } from './socketPath.ts';

/** Whether a socket was left behind by a run that was killed: nobody listens. */
export async function isDead(path: string): Promise<boolean> {
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

/** Whether a run listens in a folder. */
export async function isListening(folder: string): Promise<boolean> {
  const paths = namesIn(folder) ? socketsIn(folder) : [];
  const dead = await Promise.all(
    paths.map(async path => !lstatSync(path, { throwIfNoEntry: false })?.isSocket() || (await isDead(path))),
  );
  return dead.includes(false);
}

/** Removes what runs that were killed have left of their sockets in a folder, and where one of them lay elsewhere, there. */
export async function removeDead(folder: string): Promise<void> {
  if (!namesIn(folder)) return;
  const elsewhere = socketElsewhere(folder);
  for (const path of socketsIn(folder))
    if (path !== elsewhere && (await isDead(path))) rmSync(path, { force: true });
  if (elsewhere === undefined) return;
  const isGone = !lstatSync(elsewhere, { throwIfNoEntry: false });
  if (!isGone && !(await isDead(elsewhere))) return;
  rmSync(join(folder, POINTER_NAME), { force: true });
  // Anybody may have written the pointer: only what can be a folder of ours is removed.
  if (isOurs(elsewhere)) rmSync(dirname(elsewhere), { recursive: true, force: true });
}

/** `/tmp/servelens-aB3xYz/servelens.sock`, with nothing beside it. */
function isOurs(path: string): boolean {
  const folder = dirname(path);
  const isNamed = basename(path) === socketName(1) && /^servelens-[A-Za-z0-9]{6}$/.test(basename(folder));
  if (!isNamed || !shortFolders().includes(dirname(folder))) return false;
  return namesIn(folder)?.every(name => name === socketName(1)) === true;
}

function namesIn(folder: string): readonly string[] | undefined {
  try {
    return readdirSync(folder);
  } catch {
    return undefined;
  }
}
