import {
  checkBooleanFlags,
  checkCommandName,
  describeUsageError,
  findUsageLine,
  listOptions,
  USAGE_MESSAGES,
  UsageError,
} from '@org/terminal';
import yargs, { type Argv } from 'yargs';
import { declareCommand, STDIN_ARGUMENT } from './commands/command.ts';
import { COMMANDS, type CommandEntry, PROGRAM } from './commands/commandTable.ts';
import type { Io } from './io.ts';
import { readVersion } from './version.ts';

/** Exit code for a mistake on the command line, or an unusable input. */
const USAGE_EXIT_CODE = 2;

/** Runs `servelens` with the words of a command line and returns the exit code. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  if (argv[0] === 'read') {
    const { readerMain } = await import('@org/reader');
    return readerMain(argv.slice(1), io, `${PROGRAM} read`);
  }
  try {
    if (isHelpRequested(argv)) {
      const { renderHelpFor } = await import('./commands/help.ts');
      io.stdout.write(`${await renderHelpFor(listOwnWords(argv), io)}\n`);
      return 0;
    }
    checkCommandName(argv, [...COMMANDS.map(({ name }) => name.split(' ')[0]!), 'read']);
    let exitCode = 0;
    await createParser(argv, io, code => {
      exitCode = code;
    }).parseAsync();
    return exitCode;
  } catch (error) {
    if (!isUserError(error)) throw error;
    io.stderr.write(`${PROGRAM}: ${error.message}\n`);
    return USAGE_EXIT_CODE;
  }
}

/** Names of errors that are printed without a stack trace. `YError` is thrown by yargs. */
const USER_ERRORS: ReadonlySet<string> = new Set(['UsageError', 'RunInputError', 'YError']);

/** Compares names instead of classes, because the bundled `simulate` has another `UsageError` class. */
function isUserError(error: unknown): error is Error {
  return error instanceof Error && USER_ERRORS.has(error.name);
}

/** Returns the words before `--`. */
function listOwnWords(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end < 0 ? argv : argv.slice(0, end);
}

function isHelpRequested(argv: readonly string[]): boolean {
  return argv[0] === 'help' || listOwnWords(argv).some(word => word === '--help' || word === '-h');
}

function createParser(argv: readonly string[], io: Io, onExit: (code: number) => void): Argv {
  const words = argv[0] === 'validate' ? argv.map(word => (word === '-' ? STDIN_ARGUMENT : word)) : argv;
  const parser = yargs([...words])
    .scriptName(PROGRAM)
    .parserConfiguration({ 'populate--': true, 'boolean-negation': false, 'camel-case-expansion': false });
  for (const [group, entries] of groupCommands())
    if (group === '') for (const entry of entries) addCommand(parser, entry, { argv, io, onExit });
    else
      parser.command(group, '', subparser => {
        for (const entry of entries) addCommand(subparser, entry, { argv, io, onExit });
        const names = entries.map(({ name }) => `${PROGRAM} ${name}`).join(', ');
        return subparser.demandCommand(1, 1, `missing command; expected ${names}`);
      });
  return (
    parser
      .demandCommand(1, 1, 'missing command', 'expected one command')
      .strictCommands()
      .strictOptions()
      .check(raw => {
        checkBooleanFlags(raw, argv);
        return true;
      })
      .help(false)
      .version(readVersion())
      .exitProcess(false)
      .showHelpOnFail(false)
      .locale('en')
      // The declared type lacks plurals.
      .updateStrings(USAGE_MESSAGES as Record<string, string>)
      .fail((message, error, usage) => {
        throw error ?? new UsageError(describeUsageError(message, listOptions(usage), findUsageLine(usage)));
      })
  );
}

/** Groups commands by the word before their last one: `config check` is in the group `config`. */
function groupCommands(): Map<string, CommandEntry[]> {
  const groups = new Map<string, CommandEntry[]>();
  for (const entry of COMMANDS) {
    const group = entry.name.split(' ').slice(0, -1).join(' ');
    groups.set(group, [...(groups.get(group) ?? []), entry]);
  }
  return groups;
}

function addCommand(
  parser: Argv,
  { name, syntax, summary, load }: CommandEntry,
  { argv, io, onExit }: { argv: readonly string[]; io: Io; onExit: (code: number) => void },
): void {
  const word = name.split(' ').at(-1)!;
  parser.command(
    syntax === undefined ? word : `${word} ${syntax}`,
    summary,
    async subparser => declareCommand(subparser, await load()),
    async raw => onExit(await (await load()).run(raw, { argv, io })),
  );
}
