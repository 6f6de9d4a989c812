import type { ConfigFile, RunDocument } from '@org/discovery/config';
import { readServersOption } from '@org/servers/option';
import { UsageError } from '@org/terminal';
import type { Command, Io } from '@org/terminal/program';
import type { FileProblem } from '@org/terminal/userFile';
import { formatPath } from '@org/terminal/userFile';
import { readConnection } from '../options/connection.ts';
import { readDiscovery } from '../options/discovery.ts';
import { checkInputFile } from '../profile/inputPlan.ts';
import { type ProfileOptions, readProfileOptions } from '../profile/profileOptions.ts';
import { type ProfileRuns, readProfileRuns } from '../profile/profileRuns.ts';
import type { FileOption } from './field.ts';
import { mergeOptions } from './mergeOptions.ts';
import { findNamedOptions } from './origins.ts';
import { type RunFile, readRunFile } from './runFile.ts';

/** The validated runs of a run file. */
export interface PlannedRunFile {
  readonly file: RunFile;
  /** The options of the first run. */
  readonly first: ProfileOptions;
  /** The plan of several runs; undefined for a single run. */
  readonly runs: ProfileRuns | undefined;
}

/** The problems of a run file, or its runs. */
export interface RunFileCheck {
  readonly problems: readonly FileProblem[];
  readonly planned?: PlannedRunFile;
}

/**
 * Validates a run file like `command`, which runs it, without starting a run. An option with a problem is removed to find
 * the problems of the other options. Throws `UserFileError` if the file does not fit the schema.
 */
export async function planRunFile(command: Command, config: ConfigFile, io: Io): Promise<RunFileCheck> {
  const document = config.run!;
  const file = await readRunFile(document);
  try {
    return await planOptions(command, file, config, io);
  } finally {
    file.release();
  }
}

async function planOptions(
  command: Command,
  file: RunFile,
  config: ConfigFile,
  io: Io,
): Promise<RunFileCheck> {
  const problems: FileProblem[] = [];
  const removed: FileOption[] = [];
  for (;;) {
    const options = file.options.filter(option => !removed.includes(option));
    try {
      const planned = await plan(command, options, file, config, io);
      return problems.length > 0 ? { problems } : { problems, planned };
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      const named = findNamedOptions(command, options, error.message);
      // A removed option may be required by others.
      const isConsequence = removed.length > 0 && / requires? /.test(error.message);
      if (!isConsequence) problems.push(...createProblems(command, file.document, named, error.message));
      if (named.length === 0) return { problems };
      removed.push(...named);
    }
  }
}

/** Creates problems for each line of a message: one for each option that it names. */
function createProblems(
  command: Command,
  { file }: RunDocument,
  options: readonly FileOption[],
  message: string,
): FileProblem[] {
  return message.split('\n').flatMap(line => {
    const named = findNamedOptions(command, options, line);
    if (named.length === 0) return [file.createProblem([], line)];
    const paths = new Map(named.map(({ path }) => [formatPath(path), path]));
    return [...paths].map(([shown, path]) => file.createProblem(path, `${shown}: ${line}`));
  });
}

async function plan(
  command: Command,
  options: readonly FileOption[],
  file: RunFile,
  config: ConfigFile,
  io: Io,
): Promise<PlannedRunFile> {
  const { raw } = mergeOptions(command, options, []);
  const servers = await readServersOption(raw, io, config.servers);
  const discovery = await readDiscovery(
    raw,
    io,
    readConnection(raw, io.cwd, 'server-metrics-header'),
    config,
  );
  const runs = readProfileRuns(raw, io, config, servers, discovery);
  const first = runs?.options[0] ?? readProfileOptions(raw, io, config, servers, discovery);
  checkInputFile(first.plan.inputs);
  return { file, runs, first };
}
