import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describeSystemError } from '@org/core';
import { findRunFolders, RunInputError } from '@org/record';
import type { MarkRequest, MarkResponse } from './protocol.ts';
import { listSockets } from './socketPath.ts';

/** Thrown if there is no active run, or if the run ends or a timeout expires before it responds. */
export class NoRunError extends Error {
  override readonly name: string = 'NoRunError';
}

/** Connects to the socket of a run. Throws `NoRunError` if the run is not active. */
export async function connectToSocket(path: string): Promise<Socket> {
  const socket = await tryConnect(path);
  if (typeof socket === 'string') throw new NoRunError(`no active run at ${path}: ${socket}`);
  return socket;
}

/**
 * Connects to the active run in a folder, or in the folder of one of its repeated runs. `shownFolder` is the
 * folder as shown in messages. Throws `NoRunError` if no run is active, and `RunInputError` if several runs
 * are active.
 */
export async function connectToFolder(folder: string, shownFolder: string = folder): Promise<Socket> {
  const paths = await findSockets(folder, shownFolder);
  const results = await Promise.all(paths.map(tryConnect));
  const sockets = results.filter(result => typeof result !== 'string');
  if (sockets.length === 1) return sockets[0]!;
  for (const socket of sockets) socket.destroy();
  if (sockets.length > 1) {
    const active = paths.filter((_, index) => typeof results[index] !== 'string').join(', ');
    throw new RunInputError(
      `several runs are active in ${shownFolder}; specify the socket of one of them: ${active}`,
    );
  }
  throw new NoRunError(`no active run in ${shownFolder}; the run has ended, or uses another folder`);
}

async function findSockets(folder: string, shownFolder: string): Promise<string[]> {
  try {
    return [folder, ...(await findRunFolders(folder))].flatMap(listSockets);
  } catch (error) {
    throw new RunInputError(
      `cannot read folder ${JSON.stringify(shownFolder)}: ${describeSystemError(error)}`,
    );
  }
}

/** Returns a connection, or the reason why it failed. */
async function tryConnect(path: string): Promise<Socket | string> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return socket;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return 'the socket does not exist';
    return code === 'ECONNREFUSED' ? 'the run has ended' : message;
  }
}

/**
 * Sends a mark and returns the response. Throws `NoRunError` if the run does not respond in time, or ends
 * before it responds.
 */
export async function sendMark(
  socket: Socket,
  request: MarkRequest,
  timeoutMs: number,
): Promise<MarkResponse> {
  let text = '';
  let hasTimedOut = false;
  socket.setEncoding('utf8');
  socket.on('data', chunk => {
    text += chunk;
  });
  socket.on('error', () => {});
  const timer = setTimeout(() => {
    hasTimedOut = true;
    socket.destroy();
  }, timeoutMs);
  socket.write(`${JSON.stringify(request)}\n`);
  const closed = once(socket, 'close');
  socket.on('end', () => socket.end());
  await closed;
  clearTimeout(timer);
  if (hasTimedOut)
    throw new NoRunError(`no response within ${timeoutMs / 1000} s; the mark may have been recorded`);
  return parseResponse(text);
}

function parseResponse(text: string): MarkResponse {
  try {
    return JSON.parse(text) as MarkResponse;
  } catch {
    throw new NoRunError('the run ended before it responded');
  }
}
