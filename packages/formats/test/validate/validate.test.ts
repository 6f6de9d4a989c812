import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/json/parse.ts';
import { parquetRules } from '../../src/parquet/validate/findings.ts';
import { RULE_SEVERITIES } from '../../src/rules/catalog.ts';
import { validate } from '../../src/validate/validate.ts';
import { readInvalidSamples, samplesFolder } from '../support/samples.ts';

const validSamples = readdirSync(join(samplesFolder, 'valid'));

describe('valid samples', () => {
  it.each(validSamples)('%s is valid, also with strict', async name => {
    const { valid, issues } = await validate(join(samplesFolder, 'valid', name), { strict: true });
    expect(issues).toEqual([]);
    expect(valid).toBe(true);
  });
});

describe('rules', () => {
  it('are each violated by an invalid sample', () => {
    const suites = readdirSync(join(samplesFolder, 'invalid')).map(readInvalidSamples);
    const violated = new Set(
      suites.flatMap(suite => suite.cases.flatMap(({ issues }) => issues.map(issue => issue.rule))),
    );
    // These rules need bytes or files, which the descriptions of invalid samples cannot contain.
    const rulesTestedBelow = ['file-unreadable', 'text-encoding'];
    expect(
      Object.keys(RULE_SEVERITIES).filter(rule => !violated.has(rule) && !rulesTestedBelow.includes(rule)),
    ).toEqual([]);
  });

  it('have a section in the documentation, and each section has a rule', () => {
    const docs = readFileSync(join(import.meta.dirname, '../../../../docs/validation-rules.md'), 'utf8');
    const sections = [...docs.matchAll(/^### (\S+)\n(Error|Warning)/gm)].map(
      ([, rule, severity]) => [rule, severity!.toLowerCase()] as const,
    );
    expect(Object.fromEntries(sections)).toEqual({ ...RULE_SEVERITIES, ...parquetRules });
  });
});

describe('validate reports', () => {
  it('a file that does not exist', async () => {
    const { valid, document, issues } = await validate('/no/such/server_metrics_export.json');
    expect({ valid, document }).toEqual({ valid: false, document: 'unknown' });
    expect(issues).toMatchObject([
      { rule: 'file-unreadable', message: expect.stringContaining('/no/such/') },
    ]);
  });

  it('bytes that are not UTF-8, with their offset', async () => {
    const { issues } = await validate(
      Buffer.concat([Buffer.from('{"a": "é'), Buffer.from([0xff]), Buffer.from('"}')]),
    );
    expect(issues).toMatchObject([
      { rule: 'text-encoding', message: expect.stringContaining('byte 9 is not valid UTF-8') },
    ]);
  });

  it('an empty text', async () => {
    const { issues } = await validate('');
    expect(issues).toMatchObject([{ rule: 'json-syntax' }]);
  });

  it('excessive nesting', async () => {
    const { issues } = await validate('['.repeat(100_000));
    expect(issues).toMatchObject([{ rule: 'json-syntax', message: expect.stringContaining('512') }]);
  });
});

describe('Parquet', () => {
  it('is detected by its magic bytes and validated', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'formats-'));
    const path = join(folder, 'any-name');
    writeFileSync(path, 'PAR1 and nothing else');
    const { document, valid, issues } = await validate(path);
    rmSync(folder, { recursive: true });
    expect({ document, valid }).toEqual({ document: 'server-metrics-parquet', valid: false });
    expect(issues).toMatchObject([{ rule: 'parquet-invalid' }]);
  });

  it('is validated in memory', async () => {
    expect((await validate(Buffer.from('PAR1'))).issues).toMatchObject([{ rule: 'parquet-invalid' }]);
    const bytes = readFileSync(join(samplesFolder, 'parquet/aiperf.parquet'));
    const inMemory = await validate(bytes);
    expect(inMemory.document).toBe('server-metrics-parquet');
    expect(inMemory).toEqual(await validate(join(samplesFolder, 'parquet/aiperf.parquet')));
  });
});

describe('validate', () => {
  const path = join(samplesFolder, 'valid/server-metrics.json');
  const text = readFileSync(path, 'utf8');
  it.each([
    ['a path', path],
    ['a file URL', new URL(`file://${path}`)],
    ['bytes', readFileSync(path)],
    ['an ArrayBuffer, as in browsers', Uint8Array.from(readFileSync(path)).buffer],
    ['a file URL as a string', `file://${path}`],
    ['a text', text],
    ['a text with a byte order mark', `\ufeff${text}`],
    ['a document', parseJson(text).value as object],
    ['a document from JSON.parse, with rounded times', JSON.parse(text) as object],
  ])('accepts %s', async (_, input) => {
    expect(await validate(input, { strict: true })).toMatchObject({
      document: 'server-metrics',
      version: '1.0',
      valid: true,
    });
  });

  it('counts, but does not list, findings after the first thousand', async () => {
    const document = {
      ...JSON.parse(text),
      metrics: { many: { type: 'counter', description: '', series: [] } },
    };
    document.metrics.many.series = Array.from({ length: 1500 }, () => ({}));
    const { issues, moreIssues } = await validate(document);
    expect(issues).toHaveLength(1000);
    // Each of the 1500 series lacks at least two required fields.
    expect(moreIssues).toBeGreaterThan(1500);
  });

  it('reports the line of a finding', async () => {
    const invalidText = text.replace('"count": 50', '"count": -1');
    const line = text.slice(0, text.indexOf('"count": 50')).split('\n').length;
    const { issues } = await validate(invalidText);
    expect(issues[0]).toMatchObject({ rule: 'field-range', line, value: -1 });
  });
});
