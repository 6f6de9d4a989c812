import { FormatError, isSourceError } from '@org/formats/read';
import yargs from 'yargs';
import { RunError } from './run/error.ts';
import { openRun } from './run/open.ts';
import { renderSummary } from './summary.ts';
import { wantsColor, widthOf } from './terminal.ts';

/** What the reader may touch of the process it runs in. */
export interface ReaderIo {
  readonly stdout: NodeJS.WritableStream & { isTTY?: boolean; columns?: number };
  readonly stderr: NodeJS.WritableStream;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Exit codes: 0 answered, 2 the question or the files are wrong. */
const WRONG = 2;

class ArgumentError extends Error {}

/** Runs `servelens-reader` (or `servelens read`, under that name) with these arguments; returns the exit code. */
export async function readerMain(
  argv: readonly string[],
  io: ReaderIo,
  name = 'servelens-reader',
): Promise<number> {
  try {
    await program(argv, io, name).parseAsync();
    return 0;
  } catch (error) {
    if (!isMistake(error)) throw error;
    io.stderr.write(`${name}: ${error.message}\n`);
    return WRONG;
  }
}

/** What the user can mend: arguments (yargs throws some by itself), a run that is none, a file that is broken. */
function isMistake(error: unknown): error is Error {
  if (error instanceof ArgumentError || error instanceof RunError || error instanceof FormatError)
    return true;
  return isSourceError(error) || (error instanceof Error && error.name === 'YError');
}

function program(argv: readonly string[], io: ReaderIo, name: string): ReturnType<typeof yargs> {
  return yargs([...argv])
    .scriptName(name)
    .usage('$0 <command>\n\nFrom exported files to an answer.')
    .command(
      'summary <run>',
      'A run on one screen',
      command =>
        command.positional('run', {
          type: 'string',
          demandOption: true,
          describe: 'Folder of a run, or its server metrics as JSON (any layout) or CSV',
        }),
      async ({ run }) => {
        const { view } = await openRun(run);
        const look = { width: widthOf(io.stdout), color: wantsColor(io.stdout, io.env) };
        io.stdout.write(`${renderSummary(view, look)}\n`);
      },
    )
    .demandCommand(1, 1, 'name a command', 'name one command')
    .strict()
    .recommendCommands()
    .help()
    .alias('help', 'h')
    .version(false)
    .exitProcess(false)
    .showHelpOnFail(false)
    .fail((message, error) => {
      throw error ?? new ArgumentError(`${message}; see --help`);
    });
}
