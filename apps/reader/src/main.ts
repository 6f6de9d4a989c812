import { RunError } from '@org/analysis';
import { FormatError, isSourceError } from '@org/formats/read';
import {
  checkBooleanFlags,
  checkCommandName,
  describeUsageError,
  findUsageLine,
  getTerminalWidth,
  listOptions,
  toPrintable,
  USAGE_MESSAGES,
  UsageError,
} from '@org/terminal';
import yargs, { type Argv } from 'yargs';
import type { ReaderIo } from './io.ts';
import type { RawOptions } from './options.ts';

export type { ReaderIo } from './io.ts';

/** Exit code for a mistake on the command line, or a file that cannot be read. */
const USAGE_EXIT_CODE = 2;

const MAX_HELP_COLUMNS = 100;

/** A command: its syntax and description for the help, and its module, which is loaded when the command is called. */
interface Command {
  readonly syntax: string;
  readonly description: string;
  readonly load: () => Promise<CommandModule>;
}

interface CommandModule {
  readonly declare: (command: Argv) => Argv;
  /** Returns the exit code. */
  readonly run: (raw: RawOptions, io: ReaderIo) => Promise<number>;
}

const COMMANDS: readonly Command[] = [
  {
    syntax: 'summary [run]',
    description: 'Show a run on one screen, with findings',
    load: () => import('./summary/command.ts'),
  },
  {
    syntax: 'compare <base> <new..>',
    description: 'Compare runs, and separate changes from noise',
    load: () => import('./compare/command.ts'),
  },
  {
    syntax: 'check <run>',
    description: 'Check a run against rules, for example as a CI gate',
    load: () => import('./check/command.ts'),
  },
  {
    syntax: 'query [runs..]',
    description: 'Query the samples of runs with SQL',
    load: () => import('./query/command.ts'),
  },
  {
    syntax: 'report <run>',
    description: 'Write an HTML page with charts, findings and tables',
    load: () => import('./report/command.ts'),
  },
];

/** Runs the reader and returns the exit code. `name` is the name of the program in help and messages. */
export async function readerMain(
  argv: readonly string[],
  io: ReaderIo,
  name = 'servelens-reader',
): Promise<number> {
  let exitCode = 0;
  try {
    checkCommandName(argv, [...COMMANDS.map(({ syntax }) => syntax.split(' ')[0]!), 'help']);
    await createParser(argv, io, name, code => {
      exitCode = code;
    }).parseAsync();
    return exitCode;
  } catch (error) {
    if (!isUserError(error)) throw error;
    io.stderr.write(`${name}: ${error.message.split('\n').map(toPrintable).join('\n')}\n`);
    return USAGE_EXIT_CODE;
  }
}

/** Reports whether the user can fix an error: wrong arguments (yargs throws some itself), no run, or a broken file. */
function isUserError(error: unknown): error is Error {
  if (error instanceof UsageError || error instanceof RunError || error instanceof FormatError) return true;
  return isSourceError(error) || (error instanceof Error && error.name === 'YError');
}

function createParser(
  argv: readonly string[],
  io: ReaderIo,
  name: string,
  onExit: (code: number) => void,
): ReturnType<typeof yargs> {
  const parser = yargs([...argv])
    .scriptName(name)
    .usage('$0 <command>\n\nRead, compare and check the exports of benchmark runs.')
    .parserConfiguration({
      'boolean-negation': false,
      'camel-case-expansion': false,
      'greedy-arrays': false,
    });
  for (const { syntax, description, load } of COMMANDS)
    parser.command(
      syntax,
      description,
      async command => (await load()).declare(command as Argv),
      async raw => onExit(await (await load()).run(raw, io)),
    );
  return (
    parser
      .demandCommand(1, 1, 'missing command', 'expected one command')
      .strictCommands()
      .strictOptions()
      .check(raw => {
        checkBooleanFlags(raw, argv);
        return true;
      })
      .help()
      .alias('help', 'h')
      .version(false)
      .wrap(Math.min(MAX_HELP_COLUMNS, getTerminalWidth(io.stdout)))
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
