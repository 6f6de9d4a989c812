import { describe, expect, test } from 'vitest';
import { parseClassic } from '../../src/exposition/classicParser.ts';
import type { SampleFamily } from '../../src/exposition/exposition.ts';
import { parseOpenMetrics } from '../../src/exposition/openMetricsParser.ts';
import { readSharedFile, readSharedLines } from './support/sharedData.ts';

interface Expected {
  file: string;
  format: 'classic' | 'openmetrics';
  parses: boolean;
  samples?: number;
  families?: { name: string; type: string; samples: number }[];
}

function pick({ name, type }: SampleFamily): { name: string; type: string } {
  return { name, type };
}

const bodies = readSharedLines<Expected>('fixtures/expected.jsonl').filter(({ file }) =>
  file.endsWith('.txt'),
);

describe('bodies of real servers', () => {
  test.skipIf(bodies.length === 0)('are found', () => expect(bodies.length).toBeGreaterThan(0));

  test.each(bodies)('$file', ({ file, format, parses, samples, families }) => {
    const parse = format === 'openmetrics' ? parseOpenMetrics : parseClassic;
    const body = readSharedFile(`fixtures/${file}`)!;
    if (!parses) {
      expect(() => parse(body, { strict: true })).toThrow();
      return;
    }
    const read = parse(body, { strict: true }).families;
    expect(read.map(family => ({ ...pick(family), samples: family.samples.length }))).toEqual(families);
    expect(read.flatMap(family => family.samples)).toHaveLength(samples!);
  });
});
