import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuUsage, env } from 'node:process';
import { Random } from '@org/core';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { parseClassic } from '../../src/exposition/classicParser.ts';
import { parseOpenMetrics } from '../../src/exposition/openMetricsParser.ts';
import { checkBody, checkNext, FORMATS, isAccepted } from './fuzz/check.ts';
import { LONG_BODIES } from './fuzz/long.ts';
import { mutate } from './fuzz/mutation.ts';
import { readSharedBodies } from './support/sharedData.ts';

/**
 * The minimum number of bytes to generate. For longer runs, set the environment variables, for example:
 * `SERVELENS_FUZZ_BYTES=1000000000 SERVELENS_FUZZ_SEED=2 npx vitest run test/exposition/fuzz.test.ts`.
 * SERVELENS_FUZZ_LONG is the size of each body that is slow to parse, for example 50000000.
 */
const BYTES = Number(env.SERVELENS_FUZZ_BYTES ?? 10_000_000);
const SEED = Number(env.SERVELENS_FUZZ_SEED ?? 1);
const LONG_BODY_BYTES = Number(env.SERVELENS_FUZZ_LONG ?? 250_000);
const MAX_SMALL_BYTES = 4000;

/** Bodies that are available without shared test data. */
const BUILT_IN_BODIES = [
  '# HELP a b\n# TYPE a counter\na_total{x="1",y="é"} 1 5\n# TYPE h histogram\nh_bucket{le="+Inf"} 1\nh_sum 1\nh_count 1\n',
  '# TYPE a counter\n# UNIT a_s s\na_total{x="1"} 1 5.5 # {t="x"} 1 2\n# TYPE s stateset\ns{s="on"} 1\n{"q.r"} 1\n# EOF\n',
].map(text => Buffer.from(text));

/** Checks the invariants of a mutated body. On failure, saves the body to a file and reports its path. */
function check(text: Buffer, body: Buffer): void {
  try {
    for (const format of FORMATS)
      if (checkBody(body, format) && isAccepted(text, format)) checkNext(text, body, format);
  } catch (error) {
    const file = join(tmpdir(), `servelens-fuzz-${SEED}.txt`);
    writeFileSync(file, body);
    throw new Error(`seed ${SEED}, body saved to ${file}: ${(error as Error).message}`, { cause: error });
  }
}

describe('mutated bodies', () => {
  it(`are read or rejected without other errors: ${BYTES} bytes`, { timeout: 180_000 + BYTES / 50 }, () => {
    const propertiesBefore = Object.getOwnPropertyNames(Object.prototype);
    const random = new Random(SEED);
    const texts = [...BUILT_IN_BODIES, ...readSharedBodies()];
    const small = texts.filter(text => text.length < MAX_SMALL_BYTES);
    let bodies = 0;
    let bytes = 0;
    for (; bytes < BYTES; bodies++) {
      const candidates = random.chance(0.5) ? small : texts;
      const text = candidates[random.below(candidates.length)]!;
      const body = mutate(text, random);
      check(text, body);
      bytes += body.length;
    }
    console.log(`fuzz: seed ${SEED}, ${bodies} bodies made from ${texts.length} texts, ${bytes} bytes`);
    expect(bytes).toBeGreaterThanOrEqual(BYTES);
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(propertiesBefore);
  });

  it('parses or rejects arbitrary bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), bytes => check(BUILT_IN_BODIES[0]!, Buffer.from(bytes))),
      { seed: SEED, numRuns: 2000 },
    );
  });
});

const PARSERS = { classic: parseClassic, openmetrics: parseOpenMetrics };

/**
 * Returns the least CPU time of three parses, in milliseconds. CPU time depends little on the load of the machine, and
 * the minimum does not depend on a garbage collection during one of them.
 */
function measureParseMs(body: Buffer): number {
  const times = Array.from({ length: 3 }, () => {
    const start = cpuUsage();
    parseClassic(body);
    const { user, system } = cpuUsage(start);
    return (user + system) / 1000;
  });
  return Math.min(...times);
}

/**
 * Checks that parsing four times the size takes less than 8 times as long. Linear time is 4 times as long, quadratic
 * time 16 times.
 */
function expectLinear(quarter: Buffer, full: Buffer): void {
  expect(measureParseMs(full)).toBeLessThan(8 * measureParseMs(quarter));
}

describe('takes linear time for', () => {
  test.each(Object.entries(LONG_BODIES))(
    '%s',
    { timeout: 180_000 + LONG_BODY_BYTES / 100 },
    (_, createBody) => {
      const body = Buffer.from(createBody(LONG_BODY_BYTES));
      for (const parse of Object.values(PARSERS)) {
        const { families, badLineCount } = parse(body, { strict: false });
        expect(families.length + badLineCount).toBeGreaterThanOrEqual(0);
      }
    },
  );

  test('a line of 50 MB', () => {
    const createBody = LONG_BODIES['one long label value']!;
    const full = Buffer.from(createBody(50_000_000));
    expectLinear(Buffer.from(createBody(12_500_000)), full);
    expect(parseClassic(full).families[0]!.samples[0]!.labels[0]![1].length).toBeGreaterThan(49_999_000);
  });

  test('a line of a million labels', () => {
    const createLine = (count: number): Buffer =>
      Buffer.from(`a{${Array.from({ length: count }, (_, i) => `l${i}="v"`).join(',')}} 1\n`);
    expectLinear(createLine(250_000), createLine(1_000_000));
    expect(parseClassic(createLine(70_000)).families[0]!.samples[0]!.labels).toHaveLength(70_000);
  });
});
