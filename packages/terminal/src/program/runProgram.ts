import { readFileSync } from 'node:fs';
import { getTerminalWidth, toPrintable } from '../terminal.ts';
import type { Command, CommandEntry, Io, NestedProgram, Program } from './command.ts';
import { addSharedOptions } from './sharedOptions.ts';
import { findSimilarWord, UsageError } from './usageError.ts';

/** Exit code for user errors: invalid command lines and unusable inputs. */
const USAGE_EXIT_CODE = 2;

/** Maximum width of help, in columns. */
const MAX_HELP_COLUMNS = 100;

/**
 * Runs the command that `argv` names, and returns its exit code. Prints help for `--help`, `-h` and `help COMMAND`,
 * and the version for `--version`. A user error is printed on stderr, and the exit code is 2; other errors are thrown.
 */
export async function runProgram(program: Program, argv: readonly string[], io: Io): Promise<number> {
  try {
    return await dispatch(program, argv, io);
  } catch (error) {
    if (!isUserError(error, program)) throw error;
    io.stderr.write(`${program.name}: ${error.message.split('\n').map(toPrintable).join('\n')}\n`);
    return USAGE_EXIT_CODE;
  }
}

/** Compares error names instead of classes, because a bundled command has its own copy of `UsageError`. */
function isUserError(error: unknown, program: Program): error is Error {
  return error instanceof Error && (error.name === 'UsageError' || program.isUserError?.(error) === true);
}

function readVersion({ packageFile }: Program): string {
  return (JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }).version;
}

/** Runs the command that `argv` names, or prints help or the version. */
async function dispatch(program: Program, argv: readonly string[], io: Io): Promise<number> {
  const [word, ...followingWords] = argv;
  if (word === 'help' || word === '-h' || word === '--help')
    return await printHelp(program, followingWords, io);
  if (word === '--version') {
    io.stdout.write(`${readVersion(program)}\n`);
    return 0;
  }
  const { entry, loaded } = await loadCommand(program, word);
  const name = `${program.name} ${entry.name}`;
  if (isProgram(loaded)) return await runProgram({ ...program, ...loaded, name }, followingWords, io);
  const end = followingWords.indexOf('--');
  const ownArguments = end < 0 ? followingWords : followingWords.slice(0, end);
  if (ownArguments.some(isHelpOption)) {
    io.stdout.write(`${await renderHelp(name, entry.summary, loaded, ownArguments, getHelpWidth(io))}\n`);
    return 0;
  }
  // yargs is loaded only when options are parsed.
  const { parseCommandLine, splitAtDashes } = await import('./parse.ts');
  const { formatUsage } = await import('./help.ts');
  const raw = parseCommandLine(loaded, followingWords, formatUsage(name, loaded));
  const { childCommand } = splitAtDashes(followingWords);
  const version = readVersion(program);
  return await loaded.run(raw, { io, argv, version, ...(childCommand ? { childCommand } : {}) });
}

function isHelpOption(word: string): boolean {
  return word === '--help' || word === '-h';
}

/** Renders the help of a command. If there is only one word besides `--help`, it may be the topic of the help. */
async function renderHelp(
  name: string,
  summary: string,
  command: Command,
  words: readonly string[],
  width: number,
): Promise<string> {
  if (command.commonOptions) {
    const [topic, ...others] = words.filter(word => !isHelpOption(word));
    const { renderTopicHelp } = await import('./topicHelp.ts');
    return renderTopicHelp(name, summary, command, others.length === 0 ? topic : undefined, width);
  }
  const { renderCommandHelp } = await import('./help.ts');
  return renderCommandHelp(name, summary, command, width);
}

/** Prints the help of the command that `words` names, or of the program if `words` is empty. */
async function printHelp(program: Program, words: readonly string[], io: Io): Promise<number> {
  const path = words.filter(word => !word.startsWith('-'));
  if (path.length > 0) return await dispatch(program, [...path, '--help'], io);
  const { renderProgramHelp } = await import('./help.ts');
  const { name, description, commands } = program;
  io.stdout.write(`${renderProgramHelp(name, description, commands, getHelpWidth(io))}\n`);
  return 0;
}

/** Loads the command `word`, with the options that all commands have. Throws `UsageError` if it does not exist. */
async function loadCommand(
  { name, commands, sharedOptions = {} }: Program,
  word: string | undefined,
): Promise<{ entry: CommandEntry; loaded: Awaited<ReturnType<CommandEntry['load']>> }> {
  const expected = `expected ${name} COMMAND [options]; see --help`;
  if (word === undefined) throw new UsageError(`missing command; ${expected}`);
  if (word.startsWith('-'))
    throw new UsageError(`missing command before ${word.replace(/=.*/s, '')}; ${expected}`);
  const entry = commands.find(candidate => candidate.name === word);
  if (entry) {
    const loaded = await entry.load();
    return { entry, loaded: isProgram(loaded) ? loaded : addSharedOptions(loaded, sharedOptions) };
  }
  const similar = findSimilarWord(
    word,
    commands.map(candidate => candidate.name),
  );
  const hint = similar === undefined ? 'see --help' : `did you mean ${similar}?`;
  throw new UsageError(`unknown command ${JSON.stringify(word)}; ${hint}`);
}

function isProgram(loaded: Command | NestedProgram): loaded is NestedProgram {
  return 'commands' in loaded;
}

/** Returns the width of help: the width of the terminal, up to a readable maximum. */
function getHelpWidth({ stdout }: Io): number {
  return Math.min(MAX_HELP_COLUMNS, getTerminalWidth(stdout));
}
