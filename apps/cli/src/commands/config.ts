import { formatCount } from '@org/core';
import type { ConfigFile } from '@org/discovery/config';
import type { DefinitionFile } from '@org/servers';
import { readServersOption } from '@org/servers/option';
import {
  type Command,
  type Io,
  isSet,
  type NestedProgram,
  OUTPUT_FLAGS,
  pickOptions,
} from '@org/terminal/program';
import { readSettings } from '../options/environment.ts';
import { checkFile, type FileDescription } from '../runFile/checkFile.ts';

/** `servelens config check`. */
const checkCommand: Command = {
  arguments: [
    {
      name: 'file',
      placeholder: 'FILE',
      description: 'YAML configuration file, as passed to --config of profile and collect',
    },
  ],
  optionGroups: [{ title: 'Output', options: pickOptions(OUTPUT_FLAGS, ['json']) }],
  examples: [
    {
      command: 'servelens config check servelens.yaml',
      description: 'Show the endpoints and their settings; secrets are hidden',
    },
  ],
  notes: ['With --quiet, nothing is printed if the file is valid, except with --json.'],
  exitCodes: [
    ['0', 'the file is valid'],
    ['1', 'the file is invalid'],
    ['2', 'the file cannot be read, or the arguments are invalid'],
  ],
  run: (raw, { io }) => {
    const path = String(raw.file);
    const check = { path, isJson: isSet(raw, 'json'), isQuiet: isSet(raw, 'quiet'), io };
    return checkFile(check, file => describeConfig(path, file, io));
  },
};

/** `servelens config`. */
export const configProgram: NestedProgram = {
  description: 'Create and validate configuration files.',
  commands: [
    {
      name: 'init',
      summary: 'Write an example of a file that describes a run',
      load: async () => (await import('./configInit.ts')).initCommand,
    },
    {
      name: 'check',
      summary: 'Validate a configuration file, and show its runs and the settings of each endpoint',
      load: async () => checkCommand,
    },
    {
      name: 'expand',
      summary: 'Show the plan of a run and its command line, with variables filled in',
      load: async () => (await import('./configExpand.ts')).expandCommand,
    },
  ],
};

/** Describes a valid file: the runs that it starts, and the settings of each endpoint. */
async function describeConfig(path: string, file: ConfigFile, io: Io): Promise<FileDescription> {
  const servers = await readServersOption({}, io, file.servers);
  if (!file.run) return await describeFile(path, file, servers, io);
  const { profileCommand } = await import('./profile.ts');
  const { planRunFile } = await import('../runFile/planRun.ts');
  const { countRuns, describeRunCount } = await import('../runFile/describeRun.ts');
  const { describeIgnored } = await import('../runFile/withRunFile.ts');
  const { UserFileError } = await import('@org/terminal/userFile');
  const { problems, planned } = await planRunFile(profileCommand, file, io);
  if (!planned) throw new UserFileError(path, problems);
  const ignored = planned.file.ignored.length > 0 ? [describeIgnored(planned.file)] : [];
  const endpoints = await describeFile(path, file, servers, io);
  const text = [
    `${path} is valid: ${describeRunCount(planned)} of servelens profile`,
    ...ignored,
    ...(file.targets.length > 0 ? ['', endpoints.text] : []),
  ].join('\n');
  const { ignored: ignoredKeys } = planned.file;
  return { text, document: { runs: countRuns(planned), ignored: ignoredKeys, ...endpoints.document } };
}

async function describeFile(
  path: string,
  { config, targets }: ConfigFile,
  servers: readonly DefinitionFile[],
  io: Io,
): Promise<FileDescription> {
  const { describeTarget, mergeSettings, redactSource } = await import('@org/discovery');
  const { intervalMs, reachabilityMs } = readSettings(io.env);
  const defaults = { intervalMs, timeoutMs: reachabilityMs };
  const descriptions = targets.map((target, index) =>
    describeTarget(target, mergeSettings(config.defaults, config.targets[index]!), defaults),
  );
  const { sources = [], discovery: { mode = 'disabled' } = {} } = config;
  const sourceNames = [
    ...sources.map(({ source }) => redactSource(source)),
    ...(mode === 'disabled'
      ? []
      : [mode === 'auto' ? 'kubernetes, if the run is in a cluster' : 'kubernetes']),
  ];
  const counts = [
    formatCount(targets.length, 'endpoint'),
    ...(sourceNames.length > 0
      ? [formatCount(sourceNames.length, 'source of endpoints', 'sources of endpoints')]
      : []),
    ...(servers.length > 0 ? [formatCount(servers.length, 'server definition')] : []),
  ];
  const definitions = servers.map(({ name }) => `server ${name}`);
  return {
    text: [
      `${path} is valid: ${counts.join(', ')}`,
      ...descriptions.map(lines => lines.join('\n')),
      ...sourceNames.map(name => `source ${name}`),
      ...definitions,
    ].join('\n\n'),
    document: {
      endpoints: descriptions.map(([url, ...settings]) => ({ url, settings: settings.map(toSetting) })),
      sources: sourceNames,
      servers: servers.map(({ name }) => name),
    },
  };
}

/** Converts a row of the description of an endpoint, such as `  timeout        10 s`. */
function toSetting(row: string): { readonly name: string; readonly value: string } {
  const [, name = '', value = ''] = /^ *(\S+) +(.*)$/s.exec(row) ?? [];
  return { name, value };
}
