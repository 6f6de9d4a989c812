import {
  checkBooleanFlags,
  describeUsageError,
  listOptions,
  USAGE_MESSAGES,
  UsageError,
} from '@org/terminal';
import yargs from 'yargs';
import type { Io } from './io.ts';
import { version } from './version.ts';

/** Stands for the `-` of `validate` within yargs, which drops it. No argument of a process can have a NUL. */
const STDIN = '\0stdin';

/** Exit code of a user's mistake. */
const USAGE = 2;

/**
 * Runs `servelens` with these arguments; returns the exit code. What a command needs is loaded when it runs, so that
 * `--help` is there at once.
 */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  if (argv[0] === 'read') {
    const { readerMain } = await import('@org/reader');
    return readerMain(argv.slice(1), io, 'servelens read');
  }
  let exitCode = 0;
  const done = (code: number): void => {
    exitCode = code;
  };
  try {
    await program(argv, io, done).parseAsync();
    return exitCode;
  } catch (error) {
    if (!isUsage(error)) throw error;
    io.stderr.write(`servelens: ${error.message}\n`);
    return USAGE;
  }
}

/** Errors of the user, whose message is printed without a stack trace: wrong arguments, unusable inputs, errors of yargs. */
const USER_ERRORS: ReadonlySet<string> = new Set(['UsageError', 'RunInputError', 'YError']);

/** Compares names, because the bundled `simulate` has a `UsageError` class of its own. */
function isUsage(error: unknown): error is Error {
  return error instanceof Error && USER_ERRORS.has(error.name);
}

function program(argv: readonly string[], io: Io, done: (code: number) => void): ReturnType<typeof yargs> {
  return (
    yargs(argv[0] === 'validate' ? argv.map(word => (word === '-' ? STDIN : word)) : [...argv])
      .scriptName('servelens')
      .usage('$0 <command>\n\nWhat the inference server did while you loaded it.')
      .parserConfiguration({ 'populate--': true, 'boolean-negation': false, 'camel-case-expansion': false })
      .command(
        'profile',
        'Load inference servers, and measure at the client and at the servers',
        async command => {
          const { declareProfile } = await import('./profile/declaration.ts');
          return declareProfile(command.strictCommands(false).usage('$0 profile --model MODEL [options]'));
        },
        async raw => {
          const { runProfileCommand } = await import('./profile/command.ts');
          done(await runProfileCommand(raw, argv, io));
        },
      )
      .command(
        'collect',
        'Scrape endpoints while a command runs, for a time, or until Ctrl-C',
        async command => {
          const { declareOptions } = await import('./collect/declaration.ts');
          // What stands there besides options has a message of its own.
          return declareOptions(
            command.strictCommands(false).usage('$0 collect [options] [-- COMMAND ARGS...]'),
          );
        },
        async raw => {
          const { readOptions } = await import('./collect/options.ts');
          const { runCollect } = await import('./collect/collect.ts');
          const { makeUniqueFolder } = await import('@org/run');
          const { withOptionNames } = await import('./planErrors.ts');
          const behind = argv.indexOf('--');
          const words = behind < 0 ? {} : { '--': argv.slice(behind + 1) };
          const options = await readOptions({ ...raw, ...words }, io, runName());
          const { plan } = options;
          const folder =
            options.enabled && options.hasDefaultFolder ? await makeUniqueFolder(plan.folder) : plan.folder;
          done(await withOptionNames(() => runCollect({ ...options, plan: { ...plan, folder } }, argv, io)));
        },
      )
      .command(
        'mark [mark..]',
        'Tell a run where its phases are',
        async command => {
          const { declareMark } = await import('./mark/mark.ts');
          return declareMark(command.usage('$0 mark [options] profiling-start | profiling-end | NOTE...'));
        },
        async raw => {
          const { mark } = await import('./mark/mark.ts');
          done(await mark(raw, io));
        },
      )
      .command(
        'validate <files..>',
        'Check exports against their formats',
        async command => {
          const { declareValidate } = await import('./validate.ts');
          return declareValidate(command.usage('$0 validate [options] FILE...'));
        },
        async raw => {
          const { validateFiles } = await import('./validate.ts');
          const files = (raw.files as string[]).map(file => (file === STDIN ? '-' : file));
          done(await validateFiles({ ...raw, files }, io));
        },
      )
      .command(
        'recover <run>',
        'Write the exports of a run that was killed',
        async command => {
          const { declareRecover } = await import('./recover.ts');
          return declareRecover(command.usage('$0 recover [options] FOLDER'));
        },
        async raw => {
          const { runRecover } = await import('./recover.ts');
          done(await runRecover(raw, io));
        },
      )
      .command(
        'export <run>',
        'Write the exports of a run again, with other formats, slices, window or method',
        async command => {
          const { declareExport } = await import('./reexport/command.ts');
          return declareExport(command.usage('$0 export [options] FOLDER'));
        },
        async raw => {
          const { exportAgain } = await import('./reexport/command.ts');
          done(await exportAgain(raw, io));
        },
      )
      .command(
        'config',
        'Look at a configuration file',
        command =>
          command
            .usage('$0 config check FILE')
            .command(
              'check <file>',
              'Print what a configuration file says of each endpoint, or what is wrong with it',
              async check => {
                const { declareCheck } = await import('./config/check.ts');
                return declareCheck(check.usage('$0 config check FILE'));
              },
              async raw => {
                const { checkConfig } = await import('./config/check.ts');
                done(checkConfig(raw, io));
              },
            )
            .demandCommand(1, 1, 'name what to do: servelens config check FILE'),
        () => {},
      )
      .command(
        'simulate',
        'Play an inference server, to try things on',
        async command => {
          const { declareSimulate } = await import('./simulate.ts');
          return declareSimulate(command.usage('$0 simulate [options]'));
        },
        async raw => {
          const { simulate } = await import('./simulate.ts');
          done(await simulate(raw, io));
        },
      )
      .command('read', 'Look at the exports of a run: servelens read --help', {}, () => {})
      .demandCommand(1, 1, 'name a command', 'name one command')
      .strictCommands()
      .strictOptions()
      .check(raw => {
        checkBooleanFlags(raw, argv);
        return true;
      })
      .recommendCommands()
      .help()
      .alias('help', 'h')
      .version(version())
      .wrap(Math.min(100, io.stdout.isTTY ? (io.stdout.columns ?? 80) : 100))
      .exitProcess(false)
      .showHelpOnFail(false)
      .locale('en')
      // The declared type lacks plurals.
      .updateStrings(USAGE_MESSAGES as Record<string, string>)
      .fail((message, error, usage) => {
        throw error ?? new UsageError(describeUsageError(message, listOptions(usage)));
      })
  );
}

/** `collect-20261121-081530`, in local time: the folder of a run that was given none. */
function runName(): string {
  const now = new Date();
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString();
  return `collect-${local.slice(0, 10).replaceAll('-', '')}-${local.slice(11, 19).replaceAll(':', '')}`;
}
