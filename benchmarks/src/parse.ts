/**
 * How much processor time a body takes to read, beside prometheus_client on the same machine in the same run.
 * Usage: node benchmarks/dist/parse.js [name...]; names are those of the shared fixtures, or vllm-3-engines.
 *
 * `first`: the very first body that a process reads, when no code is compiled yet.
 * `cold`: the first body of an endpoint, from bytes to values by slot and all that the next body is compared with. The reader
 * and its layout are new, the code is compiled, as the peer's is: what each further endpoint of a run costs.
 * `steady`: a following body, most of whose values have changed. The peer knows no difference between the two.
 * Prints one JSON line a figure; `ratio` is how many times longer the peer takes. `allocated_bytes` is what a steady reading
 * allocates, beside the bytes of a frame, one double a value.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { argv, cpuUsage, env, memoryUsage } from 'node:process';
import { Layout } from '@org/core';
import { type ExpositionFormat, ExpositionReader } from '@org/scrape/exposition';
import { type Bodies, busyVllm, varied } from './parse/bodies.ts';
import { medianUs } from './parse/clock.ts';
import { type PeerTask, peerTimes } from './parse/peer.ts';

/** How many successive bodies of an endpoint are read in turn. */
const COUNT = 20;
/** Of the frame itself. */
const ALLOCATION_TARGET = 1.5;

const fixtures = resolve(
  env.SERVELENS_SHARED ?? resolve(import.meta.dirname, '../../../shared'),
  'fixtures/exposition',
);
const wanted = argv.slice(2);
const first = firstBody(busyVllm(1));
const scratch = mkdtempSync(join(tmpdir(), 'servelens-parse-'));
try {
  const endpoints = [busyVllm(COUNT), ...fixtureBodies()].filter(
    ({ name }) => wanted.length === 0 || wanted.includes(name),
  );
  const peer = peerTimes(endpoints.map(taskFor));
  if (wanted.length === 0 || wanted.includes(first.name))
    print(
      { case: `first ${first.name}`, samples: first.samples, bytes: first.bytes },
      first.us,
      peer?.get(first.name),
    );
  for (const endpoint of endpoints) report(endpoint, peer?.get(endpoint.name));
} finally {
  rmSync(scratch, { recursive: true });
}

function fixtureBodies(): Bodies[] {
  try {
    const files = readdirSync(fixtures).filter(file => file.endsWith('.txt'));
    return files.map(file => {
      const body = readFileSync(join(fixtures, file));
      const format = body.toString('latin1').trimEnd().endsWith('# EOF') ? 'openmetrics' : 'classic';
      return varied(file, body, format, COUNT);
    });
  } catch {
    console.error(`without the shared fixtures, which are not at ${fixtures} (set SERVELENS_SHARED)`);
    return [];
  }
}

function taskFor({ name, format, bodies }: Bodies): PeerTask {
  const files = bodies.map((body, index) => {
    const file = join(scratch, `${name}.${index}`);
    writeFileSync(file, body);
    return file;
  });
  return { name, format, files };
}

function report({ name, format, bodies }: Bodies, peerUs: number | undefined): void {
  const [first] = bodies;
  const { samples } = new ExpositionReader(new Layout()).read(first!, format);
  const cold = medianUs(() => {
    for (const body of bodies) new ExpositionReader(new Layout()).read(body, format);
  });
  const reader = new ExpositionReader(new Layout());
  let unsteady = 0;
  const steady = medianUs(() => {
    for (const body of bodies) if (!reader.read(body, format).steady) unsteady++;
  });
  const about = { samples, bytes: first!.length };
  print({ ...about, case: `cold ${name}` }, cold / bodies.length, peerUs);
  print(
    {
      ...about,
      case: `steady ${name}`,
      read_anew: Math.max(0, unsteady - 1),
      allocated_bytes: allocatedBytes(reader, bodies, format),
      frame_bytes: reader.layout.slotCount * 8,
      target_allocated_bytes: reader.layout.slotCount * 8 * ALLOCATION_TARGET,
    },
    steady / bodies.length,
    peerUs,
  );
}

/** The first body that this process reads: to be called before anything else is parsed. */
function firstBody({ name, format, bodies }: Bodies): {
  name: string;
  samples: number;
  bytes: number;
  us: number;
} {
  const begin = cpuUsage();
  const { samples, bytes } = new ExpositionReader(new Layout()).read(bodies[0]!, format);
  const { user, system } = cpuUsage(begin);
  return { name, samples, bytes, us: user + system };
}

/** Bytes that a steady reading allocates: the median of several tries, each too short for a collection of garbage. */
function allocatedBytes(
  reader: ExpositionReader,
  bodies: readonly Buffer[],
  format: ExpositionFormat,
): number {
  const { gc } = globalThis as { gc?: () => void };
  const readings = 5 * bodies.length;
  const tries = Array.from({ length: 5 }, () => {
    gc?.();
    const before = heldBytes();
    for (let at = 0; at < readings; at++) reader.read(bodies[at % bodies.length]!, format);
    return (heldBytes() - before) / readings;
  });
  return Math.round(tries.sort((a, b) => a - b)[tries.length >> 1]!);
}

function heldBytes(): number {
  const { heapUsed, external } = memoryUsage();
  return heapUsed + external;
}

function print(about: object, oursUs: number, peerUs: number | undefined): void {
  const figures = {
    ours_us: rounded(oursUs),
    peer_us: peerUs === undefined ? null : rounded(peerUs),
    ratio: peerUs === undefined ? null : rounded(peerUs / oursUs),
  };
  console.log(JSON.stringify({ bench: 'parse', ...about, ...figures }));
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
