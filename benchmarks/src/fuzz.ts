/**
 * Reads changed bodies until so many bytes are read, and holds what must be true of any bytes (see fuzz/check.ts).
 * Usage: node benchmarks/dist/fuzz.js [--bytes N] [--seed S] [--long BYTES]
 * `--long` also reads bodies of that size made to be slow, such as one line of 50,000,000 bytes.
 * Prints JSON lines; exit code 1 and the body in a file when something does not hold.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import { argv, env, exit } from 'node:process';
import { type ExpositionFormat, parseClassic, parseOpenMetrics } from '@org/scrape/exposition';
import { Random, serverKinds, simulatedTrace } from '@org/simulator';
import yargs from 'yargs';
import { hideBin } from 'yargs/helpers';
import { checkBody, checkNext, FORMATS, isAccepted } from './fuzz/check.ts';
import { LONG_BODIES } from './fuzz/long.ts';
import { mutated } from './fuzz/mutation.ts';

const { bytes, seed, long } = yargs(hideBin(argv))
  .option('bytes', {
    type: 'number',
    default: 10_000_000,
    describe: 'How many bytes of changed bodies to read',
  })
  .option('seed', { type: 'number', default: 1, describe: 'Seed of the changes' })
  .option('long', { type: 'number', default: 0, describe: 'Size of the long bodies; 0 leaves them out' })
  .strict()
  .parseSync();

const prototype = Object.getOwnPropertyNames(Object.prototype).join();
fuzz();
if (long > 0) for (const [name, body] of Object.entries(LONG_BODIES)) readLong(name, body);
if (Object.getOwnPropertyNames(Object.prototype).join() !== prototype) {
  console.error('Object.prototype was changed');
  exit(1);
}

function fuzz(): void {
  const random = new Random(seed);
  const texts = [...sharedTexts(), ...simulatedTexts()];
  const small = texts.filter(text => text.length < 4000);
  const figures = { bodies: 0, bytes: 0, accepted: 0, slowest_ms: 0 };
  while (figures.bytes < bytes) {
    const among = random.chance(0.5) && small.length > 0 ? small : texts;
    const text = among[random.below(among.length)]!;
    const body = mutated(text, random);
    const begin = performance.now();
    for (const format of FORMATS) if (checked(text, body, format)) figures.accepted++;
    figures.slowest_ms = Math.max(figures.slowest_ms, Math.round(performance.now() - begin));
    figures.bodies++;
    figures.bytes += body.length;
  }
  console.log(JSON.stringify({ bench: 'fuzz', case: 'changed bodies', seed, ...figures, failures: 0 }));
}

function checked(text: Buffer, body: Buffer, format: ExpositionFormat): boolean {
  try {
    const accepted = checkBody(body, format);
    if (accepted && isAccepted(text, format)) checkNext(text, body, format);
    return accepted;
  } catch (error) {
    const file = join(tmpdir(), `servelens-fuzz-${seed}.txt`);
    writeFileSync(file, body);
    console.error(`${format}, seed ${seed}: ${(error as Error).stack}`);
    console.error(`the body is in ${file}`);
    exit(1);
  }
}

function readLong(name: string, make: (size: number) => string): void {
  const body = Buffer.from(make(long));
  for (const [format, parse] of [
    ['classic', parseClassic],
    ['openmetrics', parseOpenMetrics],
  ] as const) {
    const begin = performance.now();
    const { families, badLineCount } = parse(body, { strict: false });
    const ms = Math.round(performance.now() - begin);
    const about = { case: `long: ${name}`, format, bytes: body.length, families: families.length };
    console.log(JSON.stringify({ bench: 'fuzz', ...about, bad_lines: badLineCount, ms }));
  }
}

/** Whole bodies of the shared fixtures, and the texts of the conformance cases. */
function sharedTexts(): Buffer[] {
  const shared = env.SERVELENS_SHARED ?? resolve(import.meta.dirname, '../../../shared');
  if (!existsSync(shared)) {
    console.error(`without shared test data, which are not at ${shared} (set SERVELENS_SHARED)`);
    return [];
  }
  const folder = join(shared, 'fixtures/exposition');
  const bodies = readdirSync(folder).filter(file => file.endsWith('.txt'));
  const cases = ['classic', 'openmetrics'].flatMap(format => {
    const lines = readFileSync(join(shared, `conformance/${format}.jsonl`), 'utf8')
      .trim()
      .split('\n');
    return lines.map(line => Buffer.from((JSON.parse(line) as { text: string }).text));
  });
  return [...bodies.map(file => readFileSync(join(folder, file))), ...cases];
}

function simulatedTexts(): Buffer[] {
  return serverKinds.flatMap(kind =>
    [...simulatedTrace({ kind, seed: 3, durationS: 3, intervalMs: 1500 })].map(({ body }) =>
      Buffer.from(body),
    ),
  );
}
