import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import {
  countCharacters,
  findRunFolders,
  listSockets,
  MAX_NOTE_CHARACTERS,
  MAX_WHO_CHARACTERS,
  type MarkKind,
  type MarkRequest,
  type MarkResponse,
  SOCKET_VARIABLE,
} from '@org/run/marks';
import { describeSystemError } from '@org/scrape';
import { UsageError } from '@org/terminal';
import type { Argv } from 'yargs';
import type { Io } from '../io.ts';
import { type RawOptions, secondsValue, textValue } from '../optionvalue.ts';

/** Exit codes: the run says no; there is no run that listens. */
const REFUSED = 1;
const NOBODY = 3;

/** Declares the arguments and options of `servelens mark` on a yargs command. */
export function declareMark(yargs: Argv): Argv {
  return yargs
    .positional('mark', {
      type: 'string',
      array: true,
      describe: 'profiling-start, profiling-end, or the words of a note',
    })
    .options({
      folder: {
        string: true,
        describe: 'Artifact folder of the run',
        requiresArg: true,
      },
      socket: {
        string: true,
        describe: `Socket of the run [default: $${SOCKET_VARIABLE}, which its command has]`,
        requiresArg: true,
      },
      who: {
        string: true,
        describe: 'Who says so [default: the user, and the process that calls]',
        requiresArg: true,
      },
      timeout: {
        default: 300,
        describe: 'Seconds to wait for the answer',
        requiresArg: true,
      },
    })
    .example('$0 mark profiling-start', 'from a script that servelens collect runs')
    .example('$0 mark --folder artifacts/run1 switched to long prompts', 'a note, from another shell')
    .epilogue(
      `Exit code: 0 the mark is made, ${REFUSED} the run refuses it, 2 a mistake in the options, ${NOBODY} no run listens.`,
    );
}

/** `servelens mark`: tells a run where its phases are. Returns the exit code once the mark is made. */
export async function mark(raw: RawOptions, io: Io): Promise<number> {
  const request = requestOf(raw);
  const timeoutMs = (secondsValue(raw, 'timeout', 0.001) ?? 300) * 1000;
  const sockets = await listening(raw, io);
  if ('nobody' in sockets) return fail(io, sockets.nobody, NOBODY);
  const answer = await ask(sockets.socket, request, timeoutMs);
  if (typeof answer === 'string') return fail(io, answer, NOBODY);
  if (!answer.ok) return fail(io, answer.error, REFUSED);
  io.stdout.write(`${answer.message}\n`);
  return 0;
}

function fail(io: Io, message: string, code: number): number {
  io.stderr.write(`servelens mark: ${message}\n`);
  return code;
}

function requestOf(raw: RawOptions): MarkRequest {
  const words = [raw.mark, raw['--']].flat().filter(word => word !== undefined);
  const text = words.join(' ').trim();
  if (text === '')
    throw new UsageError('the mark says nothing; expected profiling-start, profiling-end or a note');
  checkLength('the note', text, MAX_NOTE_CHARACTERS);
  // A slip of the pen must not become a note while a phase goes on.
  if (/^profil\S*$/i.test(text) && !isEdge(text))
    throw new UsageError(
      `cannot mark ${JSON.stringify(text)}; expected profiling-start, profiling-end or a note`,
    );
  const who = textValue(raw, 'who', 'a name') ?? caller();
  checkLength('--who', who, MAX_WHO_CHARACTERS);
  return { mark: isEdge(text) ? text : 'note', text, who };
}

function checkLength(name: string, text: string, most: number): void {
  const length = countCharacters(text);
  if (length > most) throw new UsageError(`${name} has ${length} characters; expected ${most} at most`);
}

function isEdge(text: string): text is Exclude<MarkKind, 'note'> {
  return text === 'profiling-start' || text === 'profiling-end';
}

/** `anna, pid 4711`: the process that runs us. */
function caller(): string {
  let name = 'unknown';
  try {
    name = userInfo().username.slice(0, 60);
  } catch {
    // A user id without a name, as in containers.
  }
  return `${name}, pid ${process.ppid}`;
}

type Listening = { readonly socket: Socket } | { readonly nobody: string };

async function listening(raw: RawOptions, io: Io): Promise<Listening> {
  const folder = textValue(raw, 'folder', 'a folder');
  const named = textValue(raw, 'socket', 'the path of a socket');
  if (folder !== undefined && named !== undefined)
    throw new UsageError('cannot use both --folder and --socket');
  if (folder !== undefined) return listeningIn(resolve(io.cwd, folder), folder);
  const path = named === undefined ? io.env[SOCKET_VARIABLE] : resolve(io.cwd, named);
  if (path === undefined || path === '')
    return {
      nobody: `no run to mark: ${SOCKET_VARIABLE} is not set, as it is in a command of servelens collect; name the run with --folder`,
    };
  const socket = await opened(path);
  return typeof socket === 'string' ? { nobody: `no run listens at ${path}: ${socket}` } : { socket };
}

async function listeningIn(folder: string, shown: string): Promise<Listening> {
  const paths = await candidates(folder, shown);
  const all = await Promise.all(paths.map(opened));
  const alive = all.filter(one => typeof one !== 'string');
  if (alive.length === 1) return { socket: alive[0]! };
  for (const one of alive) one.destroy();
  if (alive.length > 1) {
    const which = paths.filter((_, at) => typeof all[at] !== 'string').join(', ');
    throw new UsageError(`several runs listen in ${shown}; name one with --socket: ${which}`);
  }
  return { nobody: `no run listens in ${shown}: it has ended, or has another folder` };
}

/** Of a folder of several runs, the one that is going on is meant. */
async function candidates(folder: string, shown: string): Promise<string[]> {
  try {
    return [folder, ...(await findRunFolders(folder))].flatMap(listSockets);
  } catch (error) {
    throw new UsageError(`cannot read the folder ${JSON.stringify(shown)}: ${describeSystemError(error)}`);
  }
}

/** A connection, or why there is none. */
async function opened(path: string): Promise<Socket | string> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return socket;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return 'there is no such socket';
    return code === 'ECONNREFUSED' ? 'the run has ended' : message;
  }
}

/** The answer, or why there is none. */
async function ask(socket: Socket, request: MarkRequest, timeoutMs: number): Promise<MarkResponse | string> {
  let text = '';
  let timedOut = false;
  socket.setEncoding('utf8');
  socket.on('data', chunk => {
    text += chunk;
  });
  socket.on('error', () => {});
  const timer = setTimeout(() => {
    timedOut = true;
    socket.destroy();
  }, timeoutMs);
  socket.write(`${JSON.stringify(request)}\n`);
  const closed = once(socket, 'close');
  socket.on('end', () => socket.end());
  await closed;
  clearTimeout(timer);
  if (timedOut) return `the run gave no answer within ${timeoutMs / 1000} s; the mark may have been made`;
  return answerIn(text) ?? 'the run ended before it answered';
}

function answerIn(text: string): MarkResponse | undefined {
  try {
    return JSON.parse(text) as MarkResponse;
  } catch {
    return undefined;
  }
}
