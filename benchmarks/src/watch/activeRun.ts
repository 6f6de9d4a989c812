import { closeSync, openSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type Frame, Layout } from '@org/core';
import type { ProfileRecord } from '@org/formats';
import { writeProfileRecordLine } from '@org/formats/write';
import { MARK, openJournal, type RunHeader } from '@org/record/journal';
import type { JournalWriter } from '@org/scrape';
import { ExpositionReader } from '@org/scrape/exposition';
import { createSimulator, type Simulator } from '@org/simulator';

/** Time between two scrapes, in seconds: the default of runs. */
const INTERVAL_S = 1 / 3;
/** Requests per second at each server. */
const REQUESTS_PER_S = 4;
const SLICE_S = 2;

/** A simulated server, and the number of its requests that were written. */
interface Server {
  readonly simulator: Simulator;
  readonly layout: Layout;
  readonly reader: ExpositionReader;
  requests: number;
}

/** A run of simulated servers that writes the files of an active run: its journal and its requests. */
export class ActiveRun {
  readonly #servers: readonly Server[];
  readonly #journal: JournalWriter;
  readonly #file: number;
  readonly #startNs: bigint;
  #requests = 0;

  constructor(folder: string, endpoints: number) {
    this.#servers = Array.from({ length: endpoints }, (_, i) => createServer(i + 1));
    this.#startNs = this.#servers[0]!.simulator.timeNs;
    this.#journal = openJournal(folder, createHeader(this.#startNs), {});
    this.#file = openSync(join(folder, 'profile_export.jsonl'), 'w');
    this.#servers.forEach((_, i) => {
      const url = `http://10.0.0.${i + 1}:8000/metrics`;
      this.#journal.addEndpoint(i, { url, configuredUrl: url });
    });
    this.#scrape();
    this.#journal.addMark({ kind: MARK.profilingStart, atNs: this.#startNs + 1n, data: {} });
  }

  /** Number of requests so far. */
  get requests(): number {
    return this.#requests;
  }

  /** Advances the run, and appends its scrapes and requests to its files. */
  advance(seconds: number): void {
    for (let step = 0; step < Math.round(seconds / INTERVAL_S); step++) {
      for (const { simulator } of this.#servers) simulator.advance(INTERVAL_S);
      this.#scrape();
    }
    this.#writeRequests();
  }

  async close(): Promise<void> {
    closeSync(this.#file);
    await this.#journal.remove();
    await Promise.all(this.#servers.map(({ simulator }) => simulator.close()));
  }

  #scrape(): void {
    this.#servers.forEach(({ simulator, layout, reader }, i) => {
      const { values, changed } = reader.read(Buffer.from(simulator.scrape()), 'classic');
      const frame: Frame = { timestampNs: simulator.timeNs, latencyNs: 1.8e6, changed, values };
      this.#journal.append(i, layout, frame);
    });
  }

  #writeRequests(): void {
    for (const server of this.#servers) {
      const { requests } = server.simulator.getTruth();
      const lines = requests.slice(server.requests).map(request => {
        const record = toRecord(request, this.#startNs, this.#requests++);
        return `${writeProfileRecordLine(record)}\n`;
      });
      server.requests = requests.length;
      writeSync(this.#file, lines.join(''));
    }
  }
}

function createServer(seed: number): Server {
  const layout = new Layout();
  const simulator = createSimulator({ seed, arrivalRate: REQUESTS_PER_S });
  return { simulator, layout, reader: new ExpositionReader(layout), requests: 0 };
}

/** Describes the run. Its process is this one, which is alive. */
function createHeader(startNs: bigint): RunHeader {
  const inputConfig = { endpoint: { streaming: true } };
  return {
    benchmarkId: 'watch',
    version: '0.0.0',
    startNs,
    owner: { pid: process.pid, host: hostname() },
    inputConfig,
    exports: { formats: ['json'], sliceSeconds: SLICE_S, percentileMethod: 'moments' },
    profile: {
      startNs,
      inputConfig,
      runInfo: { benchmark_id: 'watch', trial: 0, cli_command: 'servelens profile' },
      streaming: true,
      tokenizer: 'server',
      tokenSource: 'server',
      hasServers: true,
    },
  };
}

type SimulatedRequest = ReturnType<Simulator['getTruth']>['requests'][number];

/** Converts a request of a simulated server to the line of a client. */
function toRecord(request: SimulatedRequest, startNs: bigint, number: number): ProfileRecord {
  const { arrivalNs, firstTokenNs, lastTokenNs, outputTokens, promptTokens } = request;
  const toWall = (ns: number): bigint => startNs + BigInt(Math.round(ns));
  const between = (lastTokenNs - firstTokenNs) / 1e6 / Math.max(1, outputTokens - 1);
  return {
    metadata: {
      session_num: number,
      x_request_id: `request-${number}`,
      x_correlation_id: `session-${number}`,
      conversation_id: `session-${number}`,
      turn_index: 0,
      credit_issued_ns: toWall(arrivalNs),
      request_start_ns: toWall(arrivalNs),
      request_ack_ns: toWall(firstTokenNs),
      request_end_ns: toWall(lastTokenNs),
      worker_id: 'worker_0',
      record_processor_id: 'record_processor_0',
      benchmark_phase: 'profiling',
      was_cancelled: false,
    },
    metrics: {
      request_latency: { value: (lastTokenNs - arrivalNs) / 1e6, unit: 'ms' },
      time_to_first_token: { value: (firstTokenNs - arrivalNs) / 1e6, unit: 'ms' },
      inter_token_latency: { value: between, unit: 'ms' },
      output_sequence_length: { value: outputTokens, unit: 'tokens' },
      input_sequence_length: { value: promptTokens, unit: 'tokens' },
    },
    error: null,
  };
}
