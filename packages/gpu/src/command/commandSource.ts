import type { Clock } from '@org/core';
import type { Platform } from '../metrics.ts';
import type { GpuReading } from '../sample.ts';
import type { GpuSource, SampleSink } from '../source.ts';
import { AMD_COLUMNS, createAmdArguments } from './amdSmi.ts';
import { LoopingCommand } from './loopingCommand.ts';
import { createNvidiaArguments, findRejectedColumn, NVIDIA_COLUMNS, NVIDIA_QUERY } from './nvidiaSmi.ts';
import { SmiTable } from './smiTable.ts';

/** A local command that prints a table of GPUs. */
interface LocalCommand {
  readonly command: string;
  /** The name of the source in exports. AIPerf reads the same values through a library of this name. */
  readonly url: string;
}

/** The local command of each platform. */
export const LOCAL_COMMANDS: Readonly<Record<Platform, LocalCommand>> = {
  nvidia: { command: 'nvidia-smi', url: 'pynvml://localhost' },
  amd: { command: 'amd-smi', url: 'amdsmi://localhost' },
};

export interface CommandSourceOptions {
  readonly platform: Platform;
  /** Path of the command. */
  readonly command: string;
  readonly clock: Clock;
  readonly intervalMs: number;
  readonly onSamples: SampleSink;
  readonly restartDelayMs?: number;
}

/** Reads GPUs of this machine from `nvidia-smi` or `amd-smi`, which runs as long as the source is open. */
export class CommandSource implements GpuSource {
  readonly url: string;
  readonly #options: CommandSourceOptions;
  readonly #command: LoopingCommand;
  readonly #table: SmiTable;
  readonly #gpus = new Set<string>();
  /** The columns to query. Columns that the command rejects are removed. */
  #query = NVIDIA_QUERY;
  /** True if the running command rejected a column. */
  #hasRejected = false;
  #waiting: (() => void)[] = [];
  #isStarted = false;

  constructor(options: CommandSourceOptions) {
    const { platform, command, restartDelayMs } = options;
    this.#options = options;
    this.url = LOCAL_COMMANDS[platform].url;
    this.#table = new SmiTable(platform === 'nvidia' ? NVIDIA_COLUMNS : AMD_COLUMNS);
    this.#command = new LoopingCommand({
      command,
      createArguments: () => this.#createArguments(),
      onLine: line => this.#readLine(line),
      onEnd: () => this.#handleEnd(),
      ...(restartDelayMs === undefined ? {} : { restartDelayMs }),
    });
  }

  get gpuCount(): number {
    return this.#gpus.size;
  }

  get failure(): string | undefined {
    if (this.#command.failure !== undefined) return this.#command.failure;
    return this.#gpus.size > 0 ? undefined : 'the command printed no table of GPUs';
  }

  get interruptions(): number {
    return this.#command.exits;
  }

  /** Number of lines that were not part of a table. */
  get invalidLines(): number {
    return this.#table.invalidLines;
  }

  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    this.#command.start();
  }

  async sample(limitMs: number): Promise<void> {
    this.start();
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, limitMs);
      this.#waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  async close(): Promise<void> {
    this.#resolveWaiting();
    await this.#command.close();
  }

  #createArguments(): string[] {
    const { platform, intervalMs } = this.#options;
    return platform === 'nvidia'
      ? createNvidiaArguments(this.#query, intervalMs)
      : createAmdArguments(intervalMs);
  }

  #readLine(line: string): void {
    const rejected = findRejectedColumn(line);
    if (rejected !== undefined && this.#query.includes(rejected)) {
      this.#query = this.#query.filter(name => name !== rejected);
      this.#hasRejected = true;
      return;
    }
    const reading = this.#table.read(line);
    if (reading) this.#addReading(reading);
  }

  /** Queries again at once if the command rejected a column; otherwise the command does not work at present. */
  #handleEnd(): 'at once' | 'later' {
    this.#table.reset();
    if (this.#hasRejected) {
      this.#hasRejected = false;
      return 'at once';
    }
    this.#resolveWaiting();
    return 'later';
  }

  #addReading(reading: GpuReading): void {
    const { clock, onSamples } = this.#options;
    this.#gpus.add(reading.gpu.uuid);
    if (Object.keys(reading.values).length === 0) return;
    onSamples([{ ...reading, timestampNs: clock.nowNs(), source: this.url }]);
    // The other rows of the same table arrive with this one.
    setImmediate(() => this.#resolveWaiting());
  }

  #resolveWaiting(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
