import { FAULT_KINDS, parseFault } from './faults/fault.ts';
import { GPU_EXPORTERS, type GpuExporter } from './gpu/gpuPage.ts';
import { DYNAMO_ROUTERS, type DynamoRouter, SERVER_KINDS, type ServerKind } from './profiles/profile.ts';
import { type CreateSimulatorOptions, createSimulator } from './simulator.ts';
import { DEFAULT_SIMULATOR_OPTIONS as defaults } from './simulatorOptions.ts';

/** A command-line option of `servelens simulate`. */
export interface SimulateOption {
  /** Name without the leading dashes. */
  readonly name: string;
  readonly type: 'string' | 'number' | 'boolean';
  /** Default value, if any. */
  readonly default: string | number | boolean | undefined;
  readonly choices?: readonly string[];
  /** True if the option is repeatable; its value is a list. */
  readonly isRepeatable?: true;
  readonly description: string;
}

/** The options of `servelens simulate`. */
export const SIMULATE_OPTIONS: readonly SimulateOption[] = [
  { name: 'kind', type: 'string', default: 'vllm', choices: SERVER_KINDS, description: 'Server to simulate' },
  { name: 'host', type: 'string', default: '127.0.0.1', description: 'Address to listen on' },
  { name: 'port', type: 'number', default: 8000, description: 'Port to listen on; 0 chooses a free port' },
  {
    name: 'side-port',
    type: 'number',
    default: 0,
    description:
      'Port of metrics pages that are not served on the main port (triton, dynamo, sglang-router); 0 chooses a free port',
  },
  { name: 'model', type: 'string', default: defaults.model, description: 'Name of the served model' },
  { name: 'seed', type: 'number', default: defaults.seed, description: 'Random seed' },
  {
    name: 'engines',
    type: 'number',
    default: defaults.engines,
    description: 'Number of engines behind one frontend',
  },
  {
    name: 'arrival-rate',
    type: 'number',
    default: defaults.arrivalRate,
    description: 'Rate of background traffic in requests/s (Poisson arrivals)',
  },
  {
    name: 'max-running',
    type: 'number',
    default: defaults.maxRunning,
    description: 'Maximum number of requests in a batch',
  },
  {
    name: 'kv-blocks',
    type: 'number',
    default: defaults.kvBlocks,
    description: 'Size of the key-value cache in blocks',
  },
  { name: 'block-size', type: 'number', default: defaults.blockSize, description: 'Tokens per cache block' },
  {
    name: 'max-batched-tokens',
    type: 'number',
    default: defaults.maxBatchedTokens,
    description: 'Maximum number of tokens per step; longer prompts are computed in chunks',
  },
  {
    name: 'max-model-len',
    type: 'number',
    default: defaults.maxModelLen,
    description: 'Context length in tokens',
  },
  {
    name: 'speed',
    type: 'number',
    default: defaults.speed,
    description: 'Speed of the model relative to its default',
  },
  {
    name: 'prefix-caching',
    type: 'boolean',
    default: defaults.prefixCaching,
    description: 'Cache shared prompt prefixes; disable with --no-prefix-caching',
  },
  {
    name: 'gpus',
    type: 'number',
    default: defaults.gpus,
    description: 'Number of GPUs, whose power and energy are served at /gpus/metrics; 0 for no such page',
  },
  {
    name: 'gpu-exporter',
    type: 'string',
    default: defaults.gpuExporter,
    choices: GPU_EXPORTERS,
    description: 'Exporter of the GPUs to simulate; dcgm-mig divides each GPU into two MIG instances',
  },
  {
    name: 'trtllm-json',
    type: 'boolean',
    default: true,
    description: 'Serve iteration statistics as JSON at /metrics (trtllm); disable with --no-trtllm-json',
  },
  {
    name: 'trtllm-json-content-type',
    type: 'boolean',
    default: true,
    description:
      'Send a JSON content type with iteration statistics (trtllm); disable with --no-trtllm-json-content-type',
  },
  {
    name: 'trtllm-exposition',
    type: 'boolean',
    default: true,
    description:
      'Serve Prometheus metrics at /prometheus/metrics (trtllm); disable with --no-trtllm-exposition',
  },
  {
    name: 'dynamo-router',
    type: 'string',
    choices: DYNAMO_ROUTERS,
    default: defaults.dynamoRouter,
    description: 'How the frontend chooses a worker (dynamo)',
  },
  {
    name: 'kv-cache-metrics',
    type: 'boolean',
    default: false,
    description: 'Export metrics of the time that blocks stay in the KV cache (vllm)',
  },
  { name: 'api-key', type: 'string', default: undefined, description: 'Bearer token required under /v1' },
  {
    name: 'metrics-key',
    type: 'string',
    default: undefined,
    description: 'Bearer token required for metrics pages',
  },
  {
    name: 'truth',
    type: 'boolean',
    default: false,
    description: 'Record every observation and serve the true values at GET /truth',
  },
  {
    name: 'control',
    type: 'boolean',
    default: false,
    description: 'Serve POST /control, which injects faults, restarts and outages',
  },
  {
    name: 'fault',
    type: 'string',
    default: undefined,
    isRepeatable: true,
    description: `Fault to inject, as KIND or KIND:FIELD=VALUE,...; kinds: ${FAULT_KINDS.join(', ')}`,
  },
];

/** Option values by name. Defaults apply to missing and undefined values. */
export type SimulateValues = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>;

/** A simulated server that accepts connections. */
export interface ListeningServer {
  readonly kind: string;
  readonly model: string;
  readonly url: string;
  /** Addresses of metrics pages that are not served by the main port, by name. */
  readonly pages: Readonly<Record<string, string>>;
}

/** Output and termination of the command. */
export interface SimulateIo {
  /** Called when the server accepts connections. */
  readonly onListening: (server: ListeningServer) => void;
  /** Ends the command when it is aborted. */
  readonly signal: AbortSignal;
}

/**
 * Runs a simulated server until the signal is aborted. Rejects if it cannot listen, and with RangeError for
 * invalid values.
 */
export async function runSimulateCommand(values: SimulateValues, io: SimulateIo): Promise<void> {
  const value = createValueReader(values);
  const simulator = createSimulator(toSimulatorOptions(value));
  const { url, pages } = await simulator.listen(value('port') as number, value('host') as string);
  try {
    io.onListening({ kind: String(value('kind')), model: String(value('model')), url, pages });
    await waitForAbort(io.signal);
  } finally {
    await simulator.close();
  }
}

type ValueReader = (name: string) => SimulateValues[string];

function createValueReader(values: SimulateValues): ValueReader {
  const optionsByName = new Map(SIMULATE_OPTIONS.map(option => [option.name, option]));
  for (const [name, value] of Object.entries(values)) {
    const option = optionsByName.get(name);
    if (!option) throw new RangeError(`unknown option "${name}" of simulate`);
    if (value !== undefined) checkValue(option, value);
  }
  return name => values[name] ?? optionsByName.get(name)!.default;
}

function checkValue(
  { name, type, choices, isRepeatable }: SimulateOption,
  value: SimulateValues[string],
): void {
  const list = isRepeatable && Array.isArray(value) ? value : [value];
  for (const item of list) {
    const isValid = choices ? choices.includes(item as string) : typeof item === type;
    if (isValid) continue;
    throw new RangeError(
      `invalid ${name} ${JSON.stringify(item)}: expected ${choices ? `one of ${choices.join(', ')}` : `a ${type}`}`,
    );
  }
}

function toSimulatorOptions(value: ValueReader): CreateSimulatorOptions {
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
    dynamoRouter: value('dynamo-router') as DynamoRouter,
    gpus: value('gpus') as number,
    gpuExporter: value('gpu-exporter') as GpuExporter,
    recordTruth: value('truth') as boolean,
    truthEndpoint: value('truth') as boolean,
    controlEndpoint: value('control') as boolean,
    faults: faults.map(parseFault),
    ...(apiKey !== undefined && { apiKey }),
    ...(metricsKey !== undefined && { metricsKey }),
  };
}

function waitForAbort(signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
