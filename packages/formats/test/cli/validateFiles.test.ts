import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ReportFormat, validateFiles } from '../../src/index.ts';

const samplesFolder = join(import.meta.dirname, '../files/valid');
const sample = join(samplesFolder, 'server-metrics.json');
let folder: string;
let invalidFile: string;
let fileWithUnknownFields: string;
let emptyFolder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'formats-'));
  const text = readFileSync(sample, 'utf8');
  emptyFolder = join(folder, 'empty');
  mkdirSync(emptyFolder);
  invalidFile = join(folder, 'a,b_server_metrics.json');
  fileWithUnknownFields = join(folder, 'server_metrics_export.json');
  writeFileSync(invalidFile, text.replace('"count": 50,', '"count": 51,'));
  writeFileSync(
    fileWithUnknownFields,
    text.replace('"Tokens"', '"Tokens", "later": "\\u202e\\uffff\\u009b[2J<&>"'),
  );
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

async function run(
  files: readonly string[],
  format: ReportFormat = 'human',
  options: { strict?: boolean; color?: boolean } = {},
): Promise<{ code: number; text: string }> {
  const { exitCode, report } = await validateFiles({ files, format, ...options });
  return { code: exitCode, text: report };
}

describe('validateFiles', () => {
  it.each([
    ['0 for valid files', () => [sample], {}, 0],
    ['1 for a file with an error', () => [sample, invalidFile], {}, 1],
    ['0 for a file with unknown fields', () => [fileWithUnknownFields], {}, 0],
    ['1 for unknown fields with strict', () => [fileWithUnknownFields], { strict: true }, 1],
    ['2 for a missing file', () => [join(folder, 'no.json')], {}, 2],
    ['2 for a missing file and an invalid file', () => [invalidFile, join(folder, 'no.json')], {}, 2],
    ['1 for a folder without exports', () => [emptyFolder], {}, 1],
    ['1 for a valid file and a folder without exports', () => [sample, emptyFolder], {}, 1],
    ['1 for a folder that contains an invalid file', () => [folder], {}, 1],
  ])('exits with code %s', async (_, files, options, expected) => {
    expect((await run(files(), 'human', options)).code).toBe(expected);
  });
});

it('throws if no files are given', async () => {
  await expect(run([])).rejects.toThrow(new TypeError('no files given; expected at least one'));
});

describe('a folder without exports', () => {
  it.each<[ReportFormat, string]>([
    ['human', 'is a folder without exports'],
    ['json', '"valid": false'],
    ['junit', '<failure type="document-unknown"'],
    ['github', '::error file='],
  ])('is reported in the %s format', async (format, expected) => {
    expect((await run([emptyFolder], format)).text).toContain(expected);
  });
});

describe('the human-readable report', () => {
  it('prints one line for a valid file', async () => {
    expect((await run([sample])).text).toBe(`✓ ${sample}  server-metrics 1.0\n`);
  });

  it('prints the path, line, message and rule of each finding, and a total', async () => {
    const { text } = await run([sample, invalidFile]);
    expect(text).toContain(`✗ ${invalidFile}  server-metrics 1.0: 2 errors\n`);
    expect(text).toMatch(
      /\n {2}line \d+ {2}\.metrics\["sim:e2e_request_latency_seconds"\]\.series\[0\]\.buckets\["\+Inf"\]\n/,
    );
    expect(text).toContain(
      'error: is 50, but count is 51; the "+Inf" bucket must count every observation (buckets-count)',
    );
    expect(text).toMatch(/2 files: 1 valid, 1 invalid\n$/);
  });

  it('prints one line for a missing file, and counts it as unreadable', async () => {
    const missing = join(folder, 'missing.json');
    const line = `✗ ${missing}  cannot read ${missing}: no such file or folder; check the path (file-unreadable)\n`;
    expect((await run([missing])).text).toBe(line);
    expect((await run([sample, missing])).text).toMatch(/2 files: 1 valid, 0 invalid, 1 unreadable\n$/);
  });

  it('escapes control characters in values from the file', async () => {
    const { text } = await run([fileWithUnknownFields], 'human', { strict: true });
    expect(text).toContain('\\u{202e}\uffff\\x9b[2J<&>');
    expect(text).not.toMatch(/[\u202e\u009b]/);
  });

  it('escapes control characters in the schema version', async () => {
    const path = join(folder, 'version.json');
    writeFileSync(path, readFileSync(sample, 'utf8').replace('"1.0"', '"1.\\u001b[2J"'));
    expect((await run([path])).text).toMatch(/^✗ .*server-metrics 1\.\\x1b\[2J: 1 error\n/);
  });

  it('uses colors if requested', async () => {
    expect((await run([invalidFile], 'human', { color: true })).text).toContain('\u001b[31merror\u001b[39m');
  });
});

describe('machine-readable reports', () => {
  it('prints all findings as JSON', async () => {
    const report = JSON.parse((await run([sample, invalidFile], 'json')).text);
    expect(report).toMatchObject({
      valid: false,
      files: [
        { file: sample, document: 'server-metrics', version: '1.0', valid: true, issues: [], moreIssues: 0 },
        { file: invalidFile, valid: false, issues: [{ severity: 'error', line: expect.any(Number) }, {}] },
      ],
    });
  });

  it('prints a JUnit suite per file and a failure per error', async () => {
    const { text } = await run([sample, invalidFile], 'junit');
    expect(text.match(/<testsuite /g)).toHaveLength(2);
    expect(text).toContain(`<testcase classname="${sample}" name="server-metrics 1.0"/>`);
    expect(text).toContain('tests="2" failures="2"');
    expect(text).toContain('&quot;+Inf&quot;');
  });

  it('escapes XML markup and replaces characters that XML does not allow', async () => {
    const { text } = await run([fileWithUnknownFields], 'junit', { strict: true });
    expect(text).toContain('\ufffd\u009b[2J&lt;&amp;&gt;');
  });

  it('keeps line breaks in JUnit attributes', async () => {
    const { text } = await run(['a\nb'], 'junit');
    expect(text).toContain('<testsuite name="a&#10;b"');
  });

  it('prints JUnit warnings in <system-out>, not as failures', async () => {
    const text = readFileSync(sample, 'utf8').replace('"duration_seconds": 6.0', '"duration_seconds": 60.0');
    writeFileSync(join(folder, 'x.json'), text);
    expect((await run([join(folder, 'x.json')], 'junit')).text).toMatch(
      /failures="0"[\s\S]*<system-out>.*duration_seconds is 60/,
    );
  });

  it('prints a GitHub annotation with the line for each finding', async () => {
    const { text } = await run([invalidFile], 'github');
    expect(text).toMatch(/^::error file=.*a%2Cb_server_metrics\.json,line=\d+,title=[a-z-]+::\.metrics/);
    expect(text.trimEnd().split('\n')).toHaveLength(2);
    expect((await run([sample], 'github')).text).toBe('');
  });
});
