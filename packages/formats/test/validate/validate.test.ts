import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { RULE_SEVERITIES } from '../../src/generated/ruleSeverities.ts';
import { parseJson } from '../../src/json/parse.ts';
import { fromPath } from '../../src/source/input.ts';
import { openSource } from '../../src/source/openSource.ts';
import { validate } from '../../src/validate/validate.ts';
import { readInvalidSamples, samplesFolder } from '../support/samples.ts';

const validSamples = readdirSync(join(samplesFolder, 'valid'));

describe('valid samples', () => {
  it.each(validSamples)('%s is valid, also with strict', async name => {
    const { valid, issues } = await validate(fromPath(join(samplesFolder, 'valid', name)), { strict: true });
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
    // These rules need bytes or files, which the descriptions of invalid samples cannot contain. The rules for Parquet
    // are tested in test/parquet/validate, and the rules for journals in the CLI.
    const rulesTestedBelow = ['file-unreadable', 'text-encoding'];
    expect(
      Object.keys(RULE_SEVERITIES).filter(
        rule => !violated.has(rule) && !rulesTestedBelow.includes(rule) && !/^(parquet|journal)-/.test(rule),
      ),
    ).toEqual([]);
  });

  it('have a section in the documentation, and each section has a rule', () => {
    const docs = readFileSync(join(import.meta.dirname, '../../../../docs/validation-rules.md'), 'utf8');
    const sections = [...docs.matchAll(/^### (\S+)\n(Error|Warning)/gm)].map(
      ([, rule, severity]) => [rule, severity!.toLowerCase()] as const,
    );
    expect(Object.fromEntries(sections)).toEqual(RULE_SEVERITIES);
  });
});

describe('validate reports', () => {
  it.each(['/etc/passwd', 'file:///etc/passwd', 'http://127.0.0.1:1/', '{}'])(
    'the string %j as the text of an unknown document, and reads no file or URL',
    async text => {
      const { issues } = await validate(text);
      expect(issues.map(({ rule }) => rule)).not.toContain('file-unreadable');
    },
  );

  it('a URL with another scheme, without its credentials', async () => {
    const { issues } = await validate(new URL('ftp://user:secret@host/x'));
    expect(issues).toMatchObject([
      { message: 'cannot read ftp://host/x: expected a file:, http: or https: URL' },
    ]);
  });

  it('a parsed document that looks like an opened source', async () => {
    const { issues } = await validate({
      path: '/etc/passwd',
      name: '/etc/passwd',
      head: '',
      stream: '',
      bytes: '',
    });
    expect(issues).toMatchObject([{ rule: 'document-unknown' }]);
  });

  it('a file that does not exist', async () => {
    const { valid, document, issues } = await validate(fromPath('/no/such/server_metrics_export.json'));
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
    const { document, valid, issues } = await validate(fromPath(path));
    rmSync(folder, { recursive: true });
    expect({ document, valid }).toEqual({ document: 'server-metrics-parquet', valid: false });
    expect(issues).toMatchObject([{ rule: 'parquet-invalid' }]);
  });

  it('is detected by its file name if it is damaged', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'formats-'));
    const path = join(folder, 'server_metrics_export.parquet');
    writeFileSync(path, 'damaged');
    const { document, issues } = await validate(fromPath(path));
    rmSync(folder, { recursive: true });
    expect(document).toBe('server-metrics-parquet');
    expect(issues).toMatchObject([{ rule: 'parquet-invalid', place: 'the file' }]);
  });

  it('is validated in memory', async () => {
    expect((await validate(Buffer.from('PAR1'))).issues).toMatchObject([{ rule: 'parquet-invalid' }]);
    const bytes = readFileSync(join(samplesFolder, 'parquet/aiperf.parquet'));
    const inMemory = await validate(bytes);
    expect(inMemory.document).toBe('server-metrics-parquet');
    expect(inMemory).toEqual(await validate(fromPath(join(samplesFolder, 'parquet/aiperf.parquet'))));
  });
});

describe('a journal', () => {
  const bytes = Uint8Array.of(0x89, 0x53, 0x4c, 0x4a, 0x0d, 0x0a, 0x1a, 0x0a, 1);

  it('is named if there is no function that checks it', async () => {
    expect(await validate(bytes)).toMatchObject({
      document: 'journal',
      valid: false,
      issues: [{ rule: 'document-unknown', message: expect.stringContaining('servelens validate') }],
    });
  });

  it('is passed to the function that checks it', async () => {
    const { document, issues } = await validate(bytes, {
      checkJournal: (journal, report) => report('journal-incomplete', `has ${journal.length} bytes`),
    });
    expect(document).toBe('journal');
    expect(issues).toMatchObject([
      { rule: 'journal-incomplete', severity: 'warning', message: 'has 9 bytes' },
    ]);
  });
});

describe('validate', () => {
  const path = join(samplesFolder, 'valid/server-metrics.json');
  const text = readFileSync(path, 'utf8');
  it.each([
    ['a path', fromPath(path)],
    ['a file URL', new URL(`file://${path}`)],
    ['bytes', readFileSync(path)],
    ['an ArrayBuffer, as in browsers', Uint8Array.from(readFileSync(path)).buffer],
    ['a Blob', new Blob([text])],
    ['a web stream', new Blob([text]).stream()],
    ['bytes compressed with gzip', gzipSync(text)],
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

  it('accepts an opened source', async () => {
    expect(await validate(await openSource(fromPath(path)))).toMatchObject({
      document: 'server-metrics',
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

  it('reports the keys and indexes of a finding', async () => {
    const { issues } = await validate(text.replace('"count": 50', '"count": -1'));
    expect(issues[0]).toMatchObject({
      path: ['metrics', 'sim:e2e_request_latency_seconds', 'series', 0, 'stats', 'count'],
      place: '.metrics["sim:e2e_request_latency_seconds"].series[0].stats.count',
    });
  });

  it('reports the row and column of a finding in CSV', async () => {
    const csv = readFileSync(join(samplesFolder, 'valid/server-metrics.csv'), 'utf8');
    const { issues } = await validate(csv.replace(/,counter,([^,]*),([^,]*),[^,]*/, ',counter,$1,$2,-5'));
    expect(issues[0]).toMatchObject({
      rule: 'field-range',
      path: [],
      row: expect.any(Number),
      column: 'total',
    });
  });

  it('reports the line of a finding', async () => {
    const invalidText = text.replace('"count": 50', '"count": -1');
    const line = text.slice(0, text.indexOf('"count": 50')).split('\n').length;
    const { issues } = await validate(invalidText);
    expect(issues[0]).toMatchObject({ rule: 'field-range', line, value: -1 });
  });
});
