import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import {
  connectToFolder,
  connectToSocket,
  countCharacters,
  MAX_NOTE_CHARACTERS,
  MAX_SENDER_CHARACTERS,
  type MarkKind,
  type MarkRequest,
  NoRunError,
  SOCKET_VARIABLE,
  sendMark,
} from '@org/run/marks';
import { UsageError } from '@org/terminal';
import {
  type Command,
  type Io,
  isSet,
  OUTPUT_FLAGS,
  pickOptions,
  type RawOptions,
  readList,
  readSeconds,
  readText,
} from '@org/terminal/program';

/** Exit code if the run rejects the mark. */
const REJECTED = 1;
/** Exit code if there is no active run. */
const NO_RUN = 3;

const DEFAULT_TIMEOUT_SECONDS = 300;

const EXPECTED_MARK = 'profiling-start, profiling-end or a note';

/** `servelens mark`. */
export const markCommand: Command = {
  usage: '[options] profiling-start | profiling-end | NOTE...',
  arguments: [
    {
      name: 'mark',
      placeholder: 'MARK',
      description: 'profiling-start, profiling-end, or the text of a note',
      isList: true,
      isOptional: true,
    },
  ],
  optionGroups: [
    {
      title: 'Options',
      options: {
        folder: { placeholder: 'DIR', aliases: ['artifact-dir'], description: 'Artifact folder of the run' },
        socket: { placeholder: 'PATH', description: 'Socket of the run', defaultText: `$${SOCKET_VARIABLE}` },
        sender: {
          placeholder: 'NAME',
          description: 'Name of the sender, recorded with the mark',
          defaultText: 'user name and process ID of the caller',
        },
        timeout: {
          placeholder: 'SECONDS',
          description: 'Time in seconds to wait for the response',
          defaultText: String(DEFAULT_TIMEOUT_SECONDS),
        },
        ...pickOptions(OUTPUT_FLAGS, ['json']),
      },
    },
  ],
  examples: [
    {
      command: 'servelens mark profiling-start',
      description: 'Start profiling, from a script that servelens collect runs',
    },
    {
      command: 'servelens mark --folder artifacts/run1 switched to long prompts',
      description: 'Add a note from another shell',
    },
  ],
  exitCodes: [
    ['0', 'the mark is recorded'],
    ['1', 'the run rejected the mark'],
    ['2', 'invalid arguments'],
    ['3', 'there is no active run'],
  ],
  run: async (raw, { io }) => mark(raw, io),
};

/** Sends a mark to an active run and waits until it is recorded. Returns the exit code. */
async function mark(raw: RawOptions, io: Io): Promise<number> {
  const request = readRequest(raw);
  const timeoutMs = (readSeconds(raw, 'timeout', 0.001) ?? DEFAULT_TIMEOUT_SECONDS) * 1000;
  try {
    const response = await sendMark(await connect(raw, io), request, timeoutMs);
    if (!response.ok) return fail(io, response.error, REJECTED);
    const { time_ns, message } = response;
    // time_ns is a text, because it has more digits than numbers keep in most programs that read JSON.
    if (isSet(raw, 'json'))
      io.stdout.write(`${JSON.stringify({ mark: request.mark, time_ns, message }, undefined, 2)}\n`);
    else if (!isSet(raw, 'quiet')) io.stdout.write(`${message}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof NoRunError)) throw error;
    return fail(io, error.message, NO_RUN);
  }
}

/** Prints an error message and returns the exit code. */
function fail(io: Io, message: string, code: number): number {
  io.stderr.write(`servelens: ${message}\n`);
  return code;
}

function readRequest(raw: RawOptions): MarkRequest {
  const text = readList(raw, 'mark').join(' ').trim();
  if (text === '') throw new UsageError(`missing mark; expected ${EXPECTED_MARK}`);
  checkLength('the note', text, MAX_NOTE_CHARACTERS);
  // A misspelled phase mark must not be recorded as a note.
  if (/^profil\S*$/i.test(text) && !isPhaseMark(text))
    throw new UsageError(`invalid mark ${JSON.stringify(text)}: expected ${EXPECTED_MARK}`);
  const sender = readText(raw, 'sender', 'a name') ?? describeCaller();
  checkLength('--sender', sender, MAX_SENDER_CHARACTERS);
  return { mark: isPhaseMark(text) ? text : 'note', text, sender };
}

function checkLength(name: string, text: string, max: number): void {
  const length = countCharacters(text);
  if (length > max) throw new UsageError(`${name} has ${length} characters; expected at most ${max}`);
}

function isPhaseMark(text: string): text is Exclude<MarkKind, 'note'> {
  return text === 'profiling-start' || text === 'profiling-end';
}

/** Describes the calling process, such as `anna, pid 4711`. */
function describeCaller(): string {
  let name = 'unknown';
  try {
    name = userInfo().username.slice(0, 60);
  } catch {
    // The user ID has no name in some containers.
  }
  return `${name}, pid ${process.ppid}`;
}

async function connect(raw: RawOptions, io: Io): ReturnType<typeof connectToSocket> {
  const folder = readText(raw, 'folder', 'a folder');
  const socket = readText(raw, 'socket', 'the path of a socket');
  if (folder !== undefined && socket !== undefined)
    throw new UsageError('cannot use both --folder and --socket');
  if (folder !== undefined) return connectToFolder(resolve(io.cwd, folder), folder);
  const path = socket === undefined ? io.env[SOCKET_VARIABLE] : resolve(io.cwd, socket);
  if (path === undefined || path === '')
    throw new NoRunError(
      `no run to mark: ${SOCKET_VARIABLE} is set only for commands that servelens collect runs; set --folder to the artifact folder of the run`,
    );
  return connectToSocket(path);
}
