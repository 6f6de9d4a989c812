import { reserveDescriptors } from '@org/loadgen';
import {
  type ListeningServer,
  runSimulateCommand,
  SIMULATE_OPTIONS,
  type SimulateOption,
  type SimulateValues,
} from '@org/simulator';
import { UsageError } from '@org/terminal';
import {
  type Command,
  flag,
  type Io,
  isSet,
  type NumberRange,
  type Option,
  type RawOptions,
  readNumber,
} from '@org/terminal/program';

/** `servelens simulate`. */
export const simulateCommand: Command = {
  optionGroups: [
    {
      title: 'Options',
      options: {
        ...Object.fromEntries(SIMULATE_OPTIONS.map(option => [option.name, toOption(option)])),
        json: flag('Print the addresses as JSON'),
      },
    },
  ],
  examples: [
    {
      command: 'servelens simulate --arrival-rate 20',
      description: 'Simulate a vLLM server at localhost:8000 with 20 background requests per second',
    },
    {
      command: 'servelens simulate --kind trtllm --fault status:status=500,scrapes=3',
      description: 'Simulate a TensorRT-LLM server whose first three scrapes fail with status 500',
    },
  ],
  exitCodes: [
    ['0', 'stopped by Ctrl-C or SIGTERM'],
    ['2', 'the address cannot be used, or the arguments are invalid'],
  ],
  run: async (raw, { io }) => runSimulate(raw, io),
};

function toOption({
  name,
  type,
  choices,
  isRepeatable,
  description,
  default: defaultValue,
}: SimulateOption): Option {
  return {
    description,
    ...(type === 'boolean' ? {} : { placeholder: choosePlaceholder(name, type) }),
    ...(type === 'number' ? { type } : {}),
    ...(defaultValue === undefined || defaultValue === false ? {} : { default: defaultValue }),
    ...(choices ? { choices } : {}),
    ...(isRepeatable ? { many: 'repeat' } : {}),
  };
}

/**
 * Returns the placeholder of an option value: `N` for numbers other than ports, otherwise the last word of the
 * option name.
 */
function choosePlaceholder(name: string, type: 'string' | 'number'): string {
  return type === 'number' && !name.endsWith('port') ? 'N' : name.split('-').at(-1)!.toUpperCase();
}

/** Error codes for an invalid or unavailable address or port. */
const LISTEN_ERRORS: ReadonlySet<string> = new Set([
  'EACCES',
  'EADDRINUSE',
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ENOTFOUND',
]);

/** Runs a mock inference server until Ctrl-C or SIGTERM. Returns the exit code. */
async function runSimulate(raw: RawOptions, io: Io): Promise<number> {
  const values = Object.fromEntries(
    SIMULATE_OPTIONS.map(option => [option.name, readOption(option, raw)]),
  ) as SimulateValues;
  // Growing the file descriptor table while connections are accepted would block the process.
  reserveDescriptors();
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  process.once('SIGINT', abort).once('SIGTERM', abort);
  try {
    await runSimulateCommand(values, { onListening: server => print(server, raw, io), signal: stop.signal });
    return 0;
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message);
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== undefined && LISTEN_ERRORS.has(code)) throw new UsageError(message);
    throw error;
  } finally {
    process.off('SIGINT', abort).off('SIGTERM', abort);
  }
}

/** Prints the addresses of a server. */
function print(server: ListeningServer, raw: RawOptions, io: Io): void {
  const { kind, model, url, pages } = server;
  const lines = [
    `Simulating ${kind} with model ${model} at ${url}`,
    ...Object.entries(pages).map(([name, page]) => `  ${name}: ${page}`),
  ];
  io.stdout.write(`${isSet(raw, 'json') ? JSON.stringify(server, null, 2) : lines.join('\n')}\n`);
}

const COUNT: NumberRange = { min: 1, isInteger: true };
const PORT: NumberRange = { min: 0, max: 65_535, isInteger: true };

/** The accepted range of numbers, by option. Options that are not listed accept all numbers. */
const RANGES: Readonly<Record<string, NumberRange>> = {
  port: PORT,
  'side-port': PORT,
  engines: COUNT,
  'arrival-rate': { min: 0 },
  'max-running': COUNT,
  'kv-blocks': COUNT,
  'block-size': COUNT,
  'max-batched-tokens': COUNT,
  'max-model-len': COUNT,
  speed: { above: 0 },
};

function readOption({ name, type, default: defaultValue }: SimulateOption, raw: RawOptions): unknown {
  return type === 'number' ? readNumber(raw, name, RANGES[name] ?? {}) : (raw[name] ?? defaultValue);
}
