import { RunError } from '@org/analysis';
import { FormatError, isSourceError } from '@org/formats/read';
import { checkBooleanFlags, getTerminalWidth, toPrintable, UsageError } from '@org/terminal';
import yargs, { type Argv } from 'yargs';
import type { ReaderIo } from './io.ts';

export type { ReaderIo } from './io.ts';

/** Exit code of a question or a file that is wrong. */
const WRONG = 2;

/** A command: its line in the help, and what is loaded when it is called. */
interface Command {
  readonly words: string;
  readonly describe: string;
  readonly load: () => Promise<{
    readonly declare: (command: Argv) => Argv;
    /** The exit code. */
    readonly run: (raw: Readonly<Record<string, unknown>>, io: ReaderIo) => Promise<number>;
  }>;
}

const COMMANDS: readonly Command[] = [
  {
    words: 'summary [run]',
    describe: 'A run on one screen, and what is to be said about it',
    load: async () => {
      const { declareSummary, summary } = await import('./summary/command.ts');
      return { declare: declareSummary, run: summary };
    },
  },
  {
    words: 'compare <base> <new..>',
    describe: 'What changed from one run to another, and what is only noise',
    load: async () => {
      const { compareRuns, declareCompare } = await import('./compare/command.ts');
      return { declare: declareCompare, run: compareRuns };
    },
  },
  {
    words: 'check <run>',
    describe: 'Gates for CI: whether a run fulfils rules',
    load: async () => {
      const { checkRun, declareCheck } = await import('./check/command.ts');
      return { declare: declareCheck, run: checkRun };
    },
  },
  {
    words: 'query [runs..]',
    describe: 'SQL over every sample of runs',
    load: async () => {
      const { declareQuery, query } = await import('./query/command.ts');
      return { declare: declareQuery, run: query };
    },
  },
  {
    words: 'report <run>',
    describe: 'One page for a browser: charts over time, findings, tables',
    load: async () => {
      const { declareReport, report } = await import('./report/command.ts');
      return { declare: declareReport, run: report };
    },
  },
];

/**
 * Runs `servelens-reader` (or `servelens read`, under that name) with these arguments; returns the exit code. What a
 * command needs is loaded when it runs.
 */
export async function readerMain(
  argv: readonly string[],
  io: ReaderIo,
  name = 'servelens-reader',
): Promise<number> {
  let exitCode = 0;
  try {
    await program(argv, io, name, code => {
      exitCode = code;
    }).parseAsync();
    return exitCode;
  } catch (error) {
    if (!isMistake(error)) throw error;
    io.stderr.write(`${name}: ${error.message.split('\n').map(toPrintable).join('\n')}\n`);
    return WRONG;
  }
}

/** What the user can mend: arguments (yargs throws some by itself), a run that is none, a file that is broken. */
function isMistake(error: unknown): error is Error {
  if (error instanceof UsageError || error instanceof RunError || error instanceof FormatError) return true;
  return isSourceError(error) || (error instanceof Error && error.name === 'YError');
}

function program(
  argv: readonly string[],
  io: ReaderIo,
  name: string,
  done: (code: number) => void,
): ReturnType<typeof yargs> {
  const parser = yargs([...argv])
    .scriptName(name)
    .usage('$0 <command>\n\nFrom exported files to an answer.')
    .parserConfiguration({
      'boolean-negation': false,
      'camel-case-expansion': false,
      'greedy-arrays': false,
    });
  for (const { words, describe, load } of COMMANDS)
    parser.command(
      words,
      describe,
      async command => (await load()).declare(command as Argv),
      async raw => done(await (await load()).run(raw, io)),
    );
  return parser
    .demandCommand(1, 1, 'name a command', 'name one command')
    .strict()
    .check(raw => {
      checkBooleanFlags(raw, argv);
      return true;
    })
    .recommendCommands()
    .help()
    .alias('help', 'h')
    .version(false)
    .wrap(Math.min(100, getTerminalWidth(io.stdout)))
    .exitProcess(false)
    .showHelpOnFail(false)
    .fail((message, error) => {
      throw error ?? new UsageError(`${message}; see --help`);
    });
}
