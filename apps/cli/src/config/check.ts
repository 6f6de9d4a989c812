import type { Argv } from 'yargs';
import type { Io } from '../io.ts';
import { readSettings } from '../settings.ts';
import { type ConfigFile, readConfig } from './configfile.ts';
import { describeTarget } from './describe.ts';
import { ConfigError, problemLines } from './problem.ts';
import { layered } from './settings.ts';

/** Declares the arguments of `servelens config check` on a yargs command. */
export function declareCheck(yargs: Argv): Argv {
  return yargs
    .positional('file', {
      type: 'string',
      demandOption: true,
      describe: 'Configuration file, as for servelens collect --config',
    })
    .example('$0 config check servelens.yaml', 'what would be scraped, and how');
}

/**
 * `servelens config check`: prints what a file makes of each endpoint, without secrets, or everything that is wrong with it.
 * Returns 0 when it can be used, 1 when not; throws `UsageError` when it cannot be read.
 */
export function checkConfig(raw: Readonly<Record<string, unknown>>, io: Io): number {
  const path = String(raw.file);
  const settings = readSettings(io.env);
  try {
    const file = readConfig(path, io);
    io.stdout.write(`${report(path, file, settings.intervalMs, settings.reachabilityMs)}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const { problems } = error;
    const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
    io.stdout.write(`${[...problemLines(path, problems), `${path}: ${count}`].join('\n')}\n`);
    return 1;
  }
}

function report(
  path: string,
  { config, targets }: ConfigFile,
  intervalMs: number,
  timeoutMs: number,
): string {
  const count = targets.length === 1 ? '1 endpoint' : `${targets.length} endpoints`;
  const described = targets.map((target, index) =>
    describeTarget(target, layered(config.defaults, config.targets[index]!), { intervalMs, timeoutMs }).join(
      '\n',
    ),
  );
  return [`${path} is valid: ${count}`, ...described].join('\n\n');
}
