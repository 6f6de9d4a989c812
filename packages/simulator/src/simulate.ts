import { parseFault } from './faults/fault.ts';
import { defaultSimulatorOptions as defaults } from './options.ts';
import { type ServerKind, serverKinds } from './profiles/profile.ts';
import { type CreateSimulatorOptions, createSimulator } from './simulator.ts';

/** One option of the command, for whoever parses the command line. */
export interface SimulateOption {
  /** Without the leading dashes. */
  readonly name: string;
  readonly type: 'string' | 'number' | 'boolean';
  /** Undefined: not set. */
  readonly default: string | number | boolean | undefined;
  readonly choices?: readonly string[];
  /** May be given more than once; its value is a list. */
  readonly many?: true;
  readonly description: string;
}

/** What the command can be told. */
export const simulateOptions: readonly SimulateOption[] = [
  { name: 'kind', type: 'string', default: 'vllm', choices: serverKinds, description: 'The server to play' },
  { name: 'host', type: 'string', default: '127.0.0.1', description: 'Address to listen on' },
  { name: 'port', type: 'number', default: 8000, description: 'Port to listen on; 0 for a free one' },
  {
    name: 'side-port',
    type: 'number',
    default: 0,
    description: 'Port of metrics that are not where requests go (triton, dynamo); 0 for a free one',
  },
  { name: 'model', type: 'string', default: defaults.model, description: 'Name of the served model' },
  { name: 'seed', type: 'number', default: defaults.seed, description: 'Seed of everything that is random' },
  { name: 'engines', type: 'number', default: defaults.engines, description: 'Engines behind the front end' },
  {
    name: 'arrival-rate',
    type: 'number',
    default: defaults.arrivalRate,
    description: 'Requests/s that arrive by themselves (Poisson)',
  },
  {
    name: 'max-running',
    type: 'number',
    default: defaults.maxRunning,
    description: 'Most requests in a batch',
  },
  {
    name: 'kv-blocks',
    type: 'number',
    default: defaults.kvBlocks,
    description: 'Blocks in the key-value cache',
  },
  { name: 'block-size', type: 'number', default: defaults.blockSize, description: 'Tokens in a block' },
  {
    name: 'max-batched-tokens',
    type: 'number',
    default: defaults.maxBatchedTokens,
    description: 'Most tokens in a step; longer prompts are computed in chunks',
  },
  {
    name: 'max-model-len',
    type: 'number',
    default: defaults.maxModelLen,
    description: 'Longest request in tokens',
  },
  {
    name: 'speed',
    type: 'number',
    default: defaults.speed,
    description: 'How many times faster the model runs',
  },
  {
    name: 'prefix-caching',
    type: 'boolean',
    default: defaults.prefixCaching,
    description: 'Keep shared prefixes',
  },
  {
    name: 'trtllm-json',
    type: 'boolean',
    default: true,
    description: 'trtllm: iteration statistics at /metrics',
  },
  {
    name: 'trtllm-json-content-type',
    type: 'boolean',
    default: true,
    description: 'trtllm: say that they are JSON',
  },
  { name: 'trtllm-exposition', type: 'boolean', default: true, description: 'trtllm: /prometheus/metrics' },
  { name: 'api-key', type: 'string', default: undefined, description: 'Bearer token that /v1 asks for' },
  {
    name: 'metrics-key',
    type: 'string',
    default: undefined,
    description: 'Bearer token that metrics ask for',
  },
  {
    name: 'truth',
    type: 'boolean',
    default: false,
    description: 'Keep all observations and answer GET /truth',
  },
  { name: 'control', type: 'boolean', default: false, description: 'Answer POST /control' },
  {
    name: 'fault',
    type: 'string',
    default: undefined,
    many: true,
    description: 'What goes wrong with scrapes, as kind:field=value,... (status:status=500,scrapes=3)',
  },
];

/** Values by option name. What is missing or undefined has its default. */
export type SimulateValues = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>;

/** Where the command's words go, and how it is told to end. */
export interface SimulateIo {
  readonly print: (line: string) => void;
  /** Aborted when the command is to end. */
  readonly signal: AbortSignal;
}

/** Plays a server until it is told to end. Rejects when it cannot listen; throws for values that are not accepted. */
export async function runSimulateCommand(values: SimulateValues, io: SimulateIo): Promise<void> {
  const value = reader(values);
  const simulator = createSimulator(simulatorOptions(value));
  const { url, pages } = await simulator.listen(value('port') as number, value('host') as string);
  try {
    io.print(`Playing ${value('kind')} with model ${value('model')} at ${url}`);
    for (const [name, page] of Object.entries(pages)) io.print(`  ${name}: ${page}`);
    await aborted(io.signal);
  } finally {
    await simulator.close();
  }
}

type Reader = (name: string) => SimulateValues[string];

function reader(values: SimulateValues): Reader {
  const known = new Map(simulateOptions.map(option => [option.name, option]));
  for (const [name, value] of Object.entries(values)) {
    const option = known.get(name);
    if (!option) throw new RangeError(`"${name}" is no option of simulate`);
    if (value !== undefined) checkValue(option, value);
  }
  return name => values[name] ?? known.get(name)!.default;
}

function checkValue({ name, type, choices, many }: SimulateOption, value: SimulateValues[string]): void {
  const list = many && Array.isArray(value) ? value : [value];
  for (const one of list) {
    const accepted = choices ? choices.includes(one as string) : typeof one === type;
    if (accepted) continue;
    throw new RangeError(
      `${name} is ${JSON.stringify(one)}; ${choices?.join(', ') ?? `a ${type}`} is accepted`,
    );
  }
}

function simulatorOptions(value: Reader): CreateSimulatorOptions {
  const apiKey = value('api-key') as string | undefined;
  const metricsKey = value('metrics-key') as string | undefined;
  const faults = [value('fault') ?? []].flat() as string[];
  return {
    kind: value('kind') as ServerKind,
    sidePort: value('side-port') as number,
    model: value('model') as string,
    seed: value('seed') as number,
    engines: value('engines') as number,
    arrivalRate: value('arrival-rate') as number,
    maxRunning: value('max-running') as number,
    kvBlocks: value('kv-blocks') as number,
    blockSize: value('block-size') as number,
    maxBatchedTokens: value('max-batched-tokens') as number,
    maxModelLen: value('max-model-len') as number,
    speed: value('speed') as number,
    prefixCaching: value('prefix-caching') as boolean,
    trtllm: {
      json: value('trtllm-json') as boolean,
      jsonContentType: value('trtllm-json-content-type') as boolean,
      exposition: value('trtllm-exposition') as boolean,
    },
    recordTruth: value('truth') as boolean,
    truthEndpoint: value('truth') as boolean,
    controlEndpoint: value('control') as boolean,
    faults: faults.map(parseFault),
    ...(apiKey !== undefined && { apiKey }),
    ...(metricsKey !== undefined && { metricsKey }),
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
