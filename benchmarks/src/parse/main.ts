/**
 * Measures the CPU time to parse a body, compared with prometheus_client on the same machine in the same run.
 *
 * - `first`: the first body that a process parses, before any code is compiled
 * - `cold`: the first body of an endpoint, with a new reader and layout and compiled code: the cost of each
 *   additional endpoint of a run. The code of the peer is compiled as well.
 * - `steady`: a later body of the same endpoint, in which most values have changed. The peer does not distinguish
 *   `cold` and `steady`.
 *
 * Prints one JSON line per case; `ratio` is the time of the peer divided by the time of Servelens.
 * `allocated_bytes` is the memory that a steady read allocates; `frame_bytes` is the size of a frame, 8 bytes
 * per value.
 *
 * Usage: npm run bench -- parse [NAME...]; NAME is a file of the shared fixtures, or vllm-3-engines.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv, cpuUsage } from 'node:process';
import { Layout } from '@org/core';
import { type ExpositionFormat, ExpositionReader } from '@org/scrape/exposition';
import { readHeldBytes } from '../measure/memory.ts';
import { computeMedian, round } from '../measure/numbers.ts';
import { measurePrometheusClient, type ParseTask } from '../peers/prometheusClient.ts';
import { SHARED_FOLDER } from '../sharedData.ts';
import { type BodySequence, createVariedBodies, createVllmBodies } from './bodySequence.ts';
import { measureMedianUs } from './cpuTime.ts';

/** Number of successive bodies per endpoint. */
const BODY_COUNT = 20;
/** Target for the allocated bytes, as a multiple of the frame size. */
const TARGET_ALLOCATION = 1.5;

const fixtures = join(SHARED_FOLDER, 'fixtures/exposition');
const names = argv.slice(2);
const firstMeasurement = measureFirstBody(createVllmBodies(1));
const scratch = mkdtempSync(join(tmpdir(), 'servelens-parse-'));
try {
  const endpoints = [createVllmBodies(BODY_COUNT), ...readFixtureBodies()].filter(
    ({ name }) => names.length === 0 || names.includes(name),
  );
  const peer = measurePrometheusClient(endpoints.map(writeTask));
  if (names.length === 0 || names.includes(firstMeasurement.name))
    print(
      {
        case: `first ${firstMeasurement.name}`,
        samples: firstMeasurement.samples,
        bytes: firstMeasurement.bytes,
      },
      firstMeasurement.us,
      peer?.get(firstMeasurement.name),
    );
  for (const endpoint of endpoints) report(endpoint, peer?.get(endpoint.name));
} finally {
  rmSync(scratch, { recursive: true });
}

function readFixtureBodies(): BodySequence[] {
  try {
    const files = readdirSync(fixtures).filter(file => file.endsWith('.txt'));
    return files.map(file => {
      const body = readFileSync(join(fixtures, file));
      const format = body.toString('latin1').trimEnd().endsWith('# EOF') ? 'openmetrics' : 'classic';
      return createVariedBodies(file, body, format, BODY_COUNT);
    });
  } catch {
    console.error(`skipping the shared fixtures: not found at ${fixtures} (set SERVELENS_SHARED)`);
    return [];
  }
}

function writeTask({ name, format, bodies }: BodySequence): ParseTask {
  const files = bodies.map((body, index) => {
    const file = join(scratch, `${name}.${index}`);
    writeFileSync(file, body);
    return file;
  });
  return { name, format, files };
}

function report({ name, format, bodies }: BodySequence, peerUs: number | undefined): void {
  const [firstBody] = bodies;
  const { samples } = new ExpositionReader(new Layout()).read(firstBody!, format);
  const cold = measureMedianUs(() => {
    for (const body of bodies) new ExpositionReader(new Layout()).read(body, format);
  });
  const reader = new ExpositionReader(new Layout());
  let unsteadyReads = 0;
  const steady = measureMedianUs(() => {
    for (const body of bodies) if (!reader.read(body, format).steady) unsteadyReads++;
  });
  const context = { samples, bytes: firstBody!.length };
  print({ ...context, case: `cold ${name}` }, cold / bodies.length, peerUs);
  print(
    {
      ...context,
      case: `steady ${name}`,
      read_anew: Math.max(0, unsteadyReads - 1),
      allocated_bytes: measureAllocatedBytes(reader, bodies, format),
      frame_bytes: reader.layout.slotCount * 8,
      target_allocated_bytes: reader.layout.slotCount * 8 * TARGET_ALLOCATION,
    },
    steady / bodies.length,
    peerUs,
  );
}

/** Measures the time to parse the first body of this process. Must be called before anything else is parsed. */
function measureFirstBody({ name, format, bodies }: BodySequence): {
  name: string;
  samples: number;
  bytes: number;
  us: number;
} {
  const start = cpuUsage();
  const { samples, bytes } = new ExpositionReader(new Layout()).read(bodies[0]!, format);
  const { user, system } = cpuUsage(start);
  return { name, samples, bytes, us: user + system };
}

/**
 * Measures the bytes that a steady read allocates: the median of several measurements, each too short for a
 * garbage collection.
 */
function measureAllocatedBytes(
  reader: ExpositionReader,
  bodies: readonly Buffer[],
  format: ExpositionFormat,
): number {
  const { gc } = globalThis as { gc?: () => void };
  const reads = 5 * bodies.length;
  const bytesPerRead = Array.from({ length: 5 }, () => {
    gc?.();
    const before = readHeldBytes();
    for (let index = 0; index < reads; index++) reader.read(bodies[index % bodies.length]!, format);
    return (readHeldBytes() - before) / reads;
  });
  return Math.round(computeMedian(bytesPerRead));
}

function print(context: object, servelensUs: number, peerUs: number | undefined): void {
  const figures = {
    ours_us: round(servelensUs, 1),
    peer_us: peerUs === undefined ? null : round(peerUs, 1),
    ratio: peerUs === undefined ? null : round(peerUs / servelensUs, 1),
  };
  console.log(JSON.stringify({ bench: 'parse', ...context, ...figures }));
}
