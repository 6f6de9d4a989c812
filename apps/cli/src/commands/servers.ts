import { stringifyJson } from '@org/formats/write';
import { extendBuiltInServers, type ServerCatalog, type ServerDefinition } from '@org/servers';
import { readServersOption, SERVERS_OPTION } from '@org/servers/option';
import { getTerminalWidth, shouldUseColor, UsageError } from '@org/terminal';
import {
  type Command,
  type Io,
  type NestedProgram,
  OUTPUT_FLAGS,
  pickOptions,
  type RawOptions,
} from '@org/terminal/program';
import type { ScreenStyle } from '../screens/screenText.ts';

const OPTION_GROUPS = [
  { title: 'Servers', options: SERVERS_OPTION },
  { title: 'Output', options: pickOptions(OUTPUT_FLAGS, ['json']) },
];

const SUCCESS = ['0', 'success'] as const;

/** `servelens servers list`. */
const listCommand: Command = {
  optionGroups: OPTION_GROUPS,
  examples: [
    { command: 'servelens servers list', description: 'List the servers whose metrics are understood' },
  ],
  exitCodes: [SUCCESS, ['2', 'a file of --servers is invalid, or the arguments are invalid']],
  run: async (raw, { io }) => {
    const { describeServer } = await import('../servers/serverDocument.ts');
    const { renderServerList } = await import('../servers/serverScreens.ts');
    const { servers } = await readCatalog(raw, io);
    const documents = servers.map(describeServer);
    return print(io, raw.json === true, documents, () => renderServerList(documents, readStyle(io)));
  },
};

/** `servelens servers show`. */
const showCommand: Command = {
  arguments: [{ name: 'name', placeholder: 'NAME', description: 'Name of a server, such as vLLM' }],
  optionGroups: OPTION_GROUPS,
  examples: [
    {
      command: 'servelens servers show vllm',
      description: 'List the metrics of vLLM, and what findings use them for',
    },
  ],
  exitCodes: [SUCCESS, ['2', 'the server is unknown, or the arguments are invalid']],
  run: async (raw, { io }) => {
    const { describeServer } = await import('../servers/serverDocument.ts');
    const { renderServer } = await import('../servers/serverScreens.ts');
    const server = findServer(String(raw.name), await readCatalog(raw, io));
    const document = describeServer(server);
    return print(io, raw.json === true, document, () => renderServer(document, readStyle(io)));
  },
};

/** `servelens servers explain`. */
const explainCommand: Command = {
  arguments: [
    {
      name: 'metric',
      placeholder: 'METRIC',
      description: 'Name of a metric, with or without _total, _bucket, _sum and _count',
    },
  ],
  optionGroups: OPTION_GROUPS,
  examples: [
    {
      command: 'servelens servers explain vllm:num_preemptions_total',
      description: 'Show what a metric means, when to worry, and what to do',
    },
  ],
  exitCodes: [SUCCESS, ['2', 'the metric is unknown, or the arguments are invalid']],
  run: async (raw, { io }) => {
    const { findMetrics, findSimilarMetrics } = await import('@org/servers/metrics');
    const { renderMetric } = await import('../servers/serverScreens.ts');
    const name = String(raw.metric);
    const servers = await readCatalog(raw, io);
    const metrics = findMetrics(name, servers);
    if (metrics.length === 0) throw createUnknownMetricError(name, findSimilarMetrics(name, servers));
    return print(io, raw.json === true, metrics, () =>
      metrics.map(metric => renderMetric(metric, readStyle(io))).join('\n\n'),
    );
  },
};

/** `servelens servers`. */
export const serversProgram: NestedProgram = {
  description: 'Show the servers whose metrics are understood, and what the metrics mean.',
  commands: [
    { name: 'list', summary: 'List the known servers', load: async () => listCommand },
    { name: 'show', summary: 'List the metrics of a server', load: async () => showCommand },
    { name: 'explain', summary: 'Explain a metric', load: async () => explainCommand },
  ],
};

/** Returns the known servers and the servers in the files of the option. */
async function readCatalog(raw: RawOptions, io: Io): Promise<ServerCatalog> {
  return extendBuiltInServers(await readServersOption(raw, io));
}

function findServer(name: string, { servers }: ServerCatalog): ServerDefinition {
  const found = servers.find(server => server.name.toLowerCase() === name.toLowerCase());
  if (found) return found;
  const names = servers.map(server => server.name).join(', ');
  throw new UsageError(`unknown server ${JSON.stringify(name)}; expected one of ${names}`);
}

function createUnknownMetricError(name: string, similar: readonly string[]): UsageError {
  const hint =
    similar.length === 0
      ? 'servelens servers show NAME lists the metrics of a server'
      : `similar names are ${similar.join(', ')}`;
  return new UsageError(`unknown metric ${JSON.stringify(name)}; ${hint}`);
}

function readStyle({ stdout, env }: Io): ScreenStyle {
  return { width: getTerminalWidth(stdout), color: shouldUseColor(stdout, env) };
}

function print(io: Io, isJson: boolean, document: object, render: () => string): number {
  io.stdout.write(`${isJson ? stringifyJson(document, 2) : render()}\n`);
  return 0;
}
