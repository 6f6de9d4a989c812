import { dirname, resolve } from 'node:path';
import { describeSystemError } from '@org/core';
import { readTextFile, type Target } from '@org/scrape';
import { UsageError } from '@org/terminal';
import {
  type Environment,
  type FileProblem,
  findSchemaProblems,
  UserFileError,
  YamlFile,
} from '@org/terminal/userFile';
import type { Config } from './config.ts';
import { readConfigSchema } from './configSchema.ts';
import { parseTargets } from './configTargets.ts';
import { type RawConfig, resolveConfig } from './rawConfig.ts';
import { isRunKey, type RunDocument, splitDocument } from './runDocument.ts';
import { checkFiles, checkHeaders, checkSources } from './settingChecks.ts';
import { formatScalar } from './shownSettings.ts';

/** A valid configuration file. */
export interface ConfigFile {
  readonly config: Config;
  /** The endpoints of `config.targets`, in the same order, without their settings. */
  readonly targets: readonly Target[];
  /** Absolute paths of the definitions of servers. */
  readonly servers: readonly string[];
  /** The other keys of the file, if it describes a run. They are not validated. */
  readonly run?: RunDocument;
}

/**
 * The working directory for a relative path of the file, and the environment variables that replace `${NAME}`
 * in its values.
 */
export interface ConfigContext {
  readonly cwd: string;
  readonly env: Environment;
}

/**
 * Reads and validates a configuration file and the files named in it.
 *
 * @param path the path as the user typed it, which messages contain
 * @throws UsageError if the file cannot be read, UserFileError if it is invalid, with all problems found by the
 * first check that fails: syntax, schema, or values and files
 */
export function readConfigFile(path: string, { cwd, env }: ConfigContext): ConfigFile {
  const absolute = resolve(cwd, path);
  const file = new YamlFile(readText(absolute, path), env, isRunKey);
  const whole = file.problems.length === 0 ? file.toObject() : null;
  const { run, endpoints: value } = splitDocument(whole);
  const throwIfAny = (problems: readonly FileProblem[]): void => {
    if (problems.length > 0) throw new UserFileError(path, problems);
  };
  throwIfAny(file.problems);
  if (value === null)
    throw new UserFileError(path, [
      file.createProblem(
        [],
        'the file is empty; expected a mapping with defaults, targets, sources, discovery and servers, or benchmark',
      ),
    ]);
  throwIfAny(
    findSchemaProblems(file, value, {
      schema: readConfigSchema(),
      subject: 'configuration',
      formatScalar,
    }),
  );
  const config = resolveConfig(value as RawConfig, dirname(absolute));
  const problems: FileProblem[] = [];
  const targets = parseTargets(config, file, problems);
  checkSources(config, file, problems);
  checkHeaders(config, file, problems);
  checkFiles(config, file, problems);
  throwIfAny(problems);
  const servers = (value as RawConfig).servers ?? [];
  return {
    config,
    targets,
    servers: servers.map(each => resolve(dirname(absolute), each)),
    ...(run ? { run: { path, file, value: run } } : {}),
  };
}

function readText(path: string, shownPath: string): string {
  try {
    return readTextFile(path);
  } catch (error) {
    const shown = JSON.stringify(shownPath);
    throw new UsageError(`cannot read the configuration file ${shown}: ${describeSystemError(error)}`);
  }
}
