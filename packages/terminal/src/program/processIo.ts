import type { Io, OutputStream } from './command.ts';
import { type Terminal, TerminalQueue } from './terminalQueue.ts';

/** Returns the streams, environment and working directory of this process. Output to a terminal never blocks the process. */
export function getProcessIo(): Io {
  const { env, platform } = process;
  const io = { stdout: process.stdout, stderr: process.stderr, env, cwd: process.cwd() };
  // On Windows, Node writes to terminals asynchronously.
  if (platform === 'win32') return io;
  const queue = new TerminalQueue();
  process.on('exit', () => queue.flush());
  const convert = (stream: NodeJS.WriteStream & Terminal): OutputStream =>
    stream.isTTY ? queue.createStream(stream) : stream;
  return { ...io, stdout: convert(io.stdout), stderr: convert(io.stderr) };
}
