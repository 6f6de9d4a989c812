import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stringifyJson } from '../../src/json/jsonWriter.ts';
import { parseJson } from '../../src/json/parse.ts';
import {
  readProfileAggregate,
  readProfileCollated,
  readProfileExport,
  readProfileRecords,
  readProfileSweep,
  readProfileTimeslices,
  readRecords,
  readSearchHistory,
  readServerMetricsJson,
} from '../../src/read.ts';
import { schemaShapes } from '../../src/schema/schemas.ts';
import { findMemberShape, resolveShape, type Shape } from '../../src/schema/shape.ts';
import { detectDocument } from '../../src/validate/documentKind.ts';
import { validate } from '../../src/validate/validate.ts';
import {
  writeLegacyServerMetricsJson,
  writeProfileAggregateJson,
  writeProfileCollatedJson,
  writeProfileExportJson,
  writeProfileRecordLine,
  writeProfileSweepJson,
  writeProfileTimeslicesJson,
  writeSearchHistoryJson,
  writeServerMetricsJson,
  writeServerMetricsLine,
} from '../../src/write.ts';

const readSample = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../files/valid', name), 'utf8');

/** Unknown fields with integers that doubles cannot represent, some of them in objects and arrays. */
const UNKNOWN = {
  x_integer: 12345678901234567891n,
  x_negative: -9007199254740993n,
  x_list: [9007199254740993n, { count: 9007199254740993n }],
  x_object: { le: 9007199254740993n, small: 7 },
};

/** Adds `UNKNOWN` to every object whose fields the schema defines, and counts these objects. */
function extendObjects(value: unknown, shape: Shape): { value: unknown; count: number } {
  let count = 0;
  const extend = (at: unknown, declaredShape: Shape): unknown => {
    if (typeof at !== 'object' || at === null) return at;
    const resolvedShape = resolveShape(declaredShape, at);
    if (Array.isArray(at))
      return resolvedShape.kind === 'array' ? at.map(item => extend(item, resolvedShape.items)) : at;
    const entries = Object.entries(at).map(
      ([key, item]) =>
        [key, extend(item, findMemberShape(resolvedShape, key, item) ?? { kind: 'exact' })] as const,
    );
    if (resolvedShape.kind !== 'object') return Object.fromEntries(entries);
    count++;
    return Object.fromEntries([...entries, ...Object.entries(UNKNOWN)]);
  };
  return { value: extend(value, shape), count };
}

function extendText(text: string): { text: string; count: number } {
  const { value } = parseJson(text);
  const extended = extendObjects(value, schemaShapes[detectDocument(value).schema!]);
  return { text: stringifyJson(extended.value), count: extended.count };
}

/** Parses a text to compare its value, because the order of members can change. */
const parseValue = (text: string): unknown => parseJson(text).value;

describe('unknown fields with integers that doubles cannot represent', () => {
  test.each<[string, (text: string) => Promise<string>]>([
    [
      'server-metrics.json',
      async text => writeServerMetricsJson((await readServerMetricsJson(text)) as never),
    ],
    [
      'server-metrics-legacy.json',
      async text => writeLegacyServerMetricsJson((await readServerMetricsJson(text)) as never),
    ],
    ['profile-export-1.3.json', async text => writeProfileExportJson(await readProfileExport(text))],
    ['profile-timeslices.json', async text => writeProfileTimeslicesJson(await readProfileTimeslices(text))],
    ['profile-aggregate.json', async text => writeProfileAggregateJson(await readProfileAggregate(text))],
    ['profile-collated.json', async text => writeProfileCollatedJson(await readProfileCollated(text))],
    ['profile-sweep.json', async text => writeProfileSweepJson(await readProfileSweep(text))],
    ['search-history.json', async text => writeSearchHistoryJson(await readSearchHistory(text))],
  ])('are valid in %s and are kept when it is read and written again', async (name, rewrite) => {
    const { text, count } = extendText(readSample(name));
    expect(count).toBeGreaterThan(2);
    expect(parseValue(await rewrite(text))).toEqual(parseValue(text));
    const { issues: problems } = await validate(text);
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    const { issues, moreIssues } = await validate(text, { strict: true });
    const unknown = issues.filter(({ rule }) => rule === 'field-unknown');
    expect(unknown.length + moreIssues).toBe(count * Object.keys(UNKNOWN).length);
    expect(unknown.map(({ message }) => message)).toContain(
      'is 12345678901234567891; the field is not in the schema',
    );
  });

  test.each([
    ['server-metrics.jsonl', readRecords, writeServerMetricsLine],
    ['profile-export.jsonl', readProfileRecords, writeProfileRecordLine],
  ] as const)(
    'are valid in the lines of %s and are kept when they are read and written again',
    async (name, read, write) => {
      const lines = readSample(name).trim().split('\n').map(extendText);
      const texts = lines.map(({ text }) => text);
      const rewrittenLines: string[] = [];
      for await (const record of read(`${texts.join('\n')}\n`)) rewrittenLines.push(write(record as never));
      expect(rewrittenLines.map(parseValue)).toEqual(texts.map(parseValue));
      expect(await validate(`${texts.join('\n')}\n`)).toMatchObject({ valid: true });
    },
  );
});
