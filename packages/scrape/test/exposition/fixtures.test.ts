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

function pickNameAndType({ name, type }: SampleFamily): { name: string; type: string } {
  return { name, type };
}

const bodies = readSharedLines<Expected>('fixtures/expected.jsonl').filter(({ file }) =>
  file.endsWith('.txt'),
);

describe('bodies of real servers', () => {
  test.skipIf(bodies.length === 0)('exist', () => expect(bodies.length).toBeGreaterThan(0));

  test.each(bodies)('$file', ({ file, format, parses, samples, families }) => {
    const parse = format === 'openmetrics' ? parseOpenMetrics : parseClassic;
    const body = readSharedFile(`fixtures/${file}`)!;
    if (!parses) {
      expect(() => parse(body, { strict: true })).toThrow();
      return;
    }
    const parsedFamilies = parse(body, { strict: true }).families;
    expect(
      parsedFamilies.map(family => ({ ...pickNameAndType(family), samples: family.samples.length })),
    ).toEqual(families);
    expect(parsedFamilies.flatMap(family => family.samples)).toHaveLength(samples!);
  });
});
