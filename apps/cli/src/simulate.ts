import { reserveDescriptors } from '@org/loadgen';
import {
  runSimulateCommand,
  type SimulateOption,
  type SimulateValues,
  simulateOptions,
} from '@org/simulator';
import { UsageError } from '@org/terminal';
import type { Argv } from 'yargs';
import type { Io } from './io.ts';
import { numberOf, type RawOptions, shownValue, singleValue } from './optionvalue.ts';

/** Declares the options of `servelens simulate` on a yargs command. */
export function declareSimulate(yargs: Argv): Argv {
  const options = simulateOptions.map(({ name, type, choices, many, description, ...rest }) => [
    name,
    {
      describe: description,
      // Numbers are read by `optionValue`: yargs would keep NaN of what is none.
      ...(type === 'number' ? {} : { type }),
      ...(rest.default === undefined ? {} : { default: rest.default }),
      ...(choices ? { choices } : {}),
      ...(many ? { array: true } : {}),
      requiresArg: type !== 'boolean',
    },
  ]);
  return yargs
    .options(Object.fromEntries(options))
    .example('$0 simulate --arrival-rate 20', 'a vLLM server under load at localhost:8000')
    .example('$0 simulate --kind trtllm --fault status:status=500,scrapes=3', 'one that misbehaves');
}

/** `servelens simulate`: plays an inference server until Ctrl-C. Returns the exit code. */
export async function simulate(raw: RawOptions, io: Io): Promise<number> {
  const values = Object.fromEntries(
    simulateOptions.map(option => [option.name, optionValue(option, raw)]),
  ) as SimulateValues;
  // What accepts connections stands still as those who make them do.
  reserveDescriptors();
  const stop = new AbortController();
  const end = (): void => stop.abort();
  process.once('SIGINT', end).once('SIGTERM', end);
  try {
    await runSimulateCommand(values, { print: line => io.stdout.write(`${line}\n`), signal: stop.signal });
    return 0;
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(error.message);
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE' || code === 'EACCES' || code === 'EADDRNOTAVAIL') {
      throw new UsageError(`cannot listen on ${raw.host}:${raw.port}: ${message}`);
    }
    throw error;
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end);
  }
}

function optionValue({ name, type, many }: SimulateOption, raw: RawOptions): unknown {
  if (many) return raw[name];
  const value = singleValue(raw, name);
  if (type !== 'number' || value === undefined) return value;
  const number = numberOf(value);
  if (!Number.isFinite(number)) throw new UsageError(`--${name} is ${shownValue(value)}; expected a number`);
  if (!/port$/.test(name) || (Number.isInteger(number) && number >= 0 && number <= 65_535)) return number;
  throw new UsageError(`--${name} is ${number}; expected a port, from 0 to 65535`);
}
