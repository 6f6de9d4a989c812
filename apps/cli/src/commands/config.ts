import { formatCount } from '@org/core';
import type { ConfigFile } from '@org/discovery/config';
import type { DefinitionFile } from '@org/servers';
import { readServersOption } from '@org/servers/option';
import type { Command, Io, NestedProgram } from '@org/terminal/program';
import { readSettings } from '../options/environment.ts';

/** `servelens config check`. */
const checkCommand: Command = {
  arguments: [
    {
      name: 'file',
      placeholder: 'FILE',
      description: 'YAML configuration file, as passed to --config of profile and collect',
    },
  ],
  optionGroups: [],
  examples: [
    {
      command: 'servelens config check servelens.yaml',
      description: 'Show the endpoints and their settings; secrets are hidden',
    },
  ],
  exitCodes: [
    ['0', 'the file is valid'],
    ['1', 'the file is invalid'],
    ['2', 'the file cannot be read, or the arguments are invalid'],
  ],
  run: (raw, { io }) => checkConfig(String(raw.file), io),
};

/** `servelens config`. */
export const configProgram: NestedProgram = {
  description: 'Validate configuration files.',
  commands: [
    {
      name: 'check',
      summary: 'Validate a configuration file, and show the settings of each endpoint',
      load: async () => checkCommand,
    },
  ],
};

/**
 * Prints the settings of each endpoint, or all problems of an invalid file. Returns the exit code. Throws
 * `UsageError` if the file cannot be read.
 */
async function checkConfig(path: string, io: Io): Promise<number> {
  const { ConfigError, formatProblems, readConfigFile } = await import('@org/discovery/config');
  try {
    const file = readConfigFile(path, io);
    const servers = await readServersOption({}, io, file.servers);
    io.stdout.write(`${await describeFile(path, file, servers, io)}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const { problems } = error;
    io.stdout.write(
      `${[...formatProblems(path, problems), `${path}: ${formatCount(problems.length, 'problem')}`].join('\n')}\n`,
    );
    return 1;
  }
}

async function describeFile(
  path: string,
  { config, targets }: ConfigFile,
  servers: readonly DefinitionFile[],
  io: Io,
): Promise<string> {
  const { describeTarget, mergeSettings } = await import('@org/discovery');
  const { intervalMs, reachabilityMs } = readSettings(io.env);
  const defaults = { intervalMs, timeoutMs: reachabilityMs };
  const descriptions = targets.map((target, index) =>
    describeTarget(target, mergeSettings(config.defaults, config.targets[index]!), defaults).join('\n'),
  );
  const counts = [
    formatCount(targets.length, 'endpoint'),
    ...(servers.length > 0 ? [formatCount(servers.length, 'server definition')] : []),
  ];
  const definitions = servers.map(({ name }) => `server ${name}`);
  return [`${path} is valid: ${counts.join(', ')}`, ...descriptions, ...definitions].join('\n\n');
}
