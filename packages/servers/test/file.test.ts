import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { toDefinition } from '../src/definitionFile.ts';
import { parseServerFile, readDefinitionFile } from '../src/file.ts';
import { schema } from '../src/generated/schema.ts';

const folder = mkdtempSync(join(tmpdir(), 'servers-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const VALID = `
name: Mine
recognize: { prefixes: [mine_] }
roles:
  waiting: { metrics: [mine_queue], operation: sum }
metrics:
  mine_queue: { type: gauge, unit: requests, meaning: Requests that wait. }
`;

test('reads a definition in YAML', () => {
  writeFileSync(join(folder, 'mine.yaml'), VALID);
  const { name, roles } = toDefinition(readDefinitionFile('mine.yaml', folder));
  expect([name, roles.waiting]).toEqual(['Mine', { metrics: ['mine_queue'], operation: 'sum' }]);
});

test('reads a definition in JSON', () => {
  const text = JSON.stringify({ name: 'Mine', recognize: { prefixes: ['mine_'] } });
  expect(parseServerFile(text, 'mine.json')).toEqual({ name: 'Mine', recognize: { prefixes: ['mine_'] } });
});

test('accepts every built-in definition', () => {
  const servers = resolve(import.meta.dirname, '../servers');
  for (const file of readdirSync(servers))
    expect(() => parseServerFile(readFileSync(join(servers, file), 'utf8'), file), file).not.toThrow();
});

function listProblems(text: string): string[] {
  try {
    parseServerFile(text, 'm.yaml');
    return [];
  } catch (error) {
    return (error as Error).message.split('\n');
  }
}

const START = 'name: Mine\nrecognize: { prefixes: [mine_] }\n';

test.each<[string, string[]]>([
  ['', ['m.yaml:1:1: the file is empty; expected a mapping with name and recognize']],
  ['- a', ['m.yaml:1:1: invalid definition: a list; expected a mapping with name and recognize']],
  ['name: Mine', ['m.yaml:1:1: the file requires recognize; expected a mapping with name and recognize']],
  [
    `${START}rolls: {}`,
    [
      `m.yaml:3:1: unknown key "rolls" (did you mean roles?); expected ${Object.keys(schema.properties!).join(', ')}`,
    ],
  ],
  [
    `${START}roles:\n  waiting: { metrics: [mine_queue], operation: average }`,
    [
      'm.yaml:4:48: invalid roles.waiting.operation: "average"; expected one of sum, max, mean, total, observed, count, busy, p99',
    ],
  ],
  [
    `${START}roles:\n  waiting: { metrics: [other_queue], operation: sum }`,
    [
      'm.yaml:4:24: roles.waiting.metrics[0] is "other_queue", which does not belong to the server; expected a name from recognize.metrics, or a name that starts with one of recognize.prefixes',
    ],
  ],
  [
    `${START}reconciliation:\n  latency: [{ name: mine_s, unit_ms: 0 }]`,
    [
      'm.yaml:4:38: invalid reconciliation.latency[0].unit_ms: 0; expected a number above 0, such as 1000 for seconds',
    ],
  ],
  [
    `${START}docs: "`,
    ['m.yaml:3:8: missing character: a closing quote, a closing bracket, or a colon after a key'],
  ],
  [
    `${START}metrics:\n  mine_queue: { type: gage, meaning: Requests that wait. }`,
    [
      'm.yaml:4:23: invalid metrics.mine_queue.type: "gage"; expected one of gauge, counter, histogram, summary',
    ],
  ],
  [
    `${START}metrics:\n  mine_queue: { typ: gauge, type: gauge, meaning: Requests that wait. }`,
    [
      'm.yaml:4:17: unknown key "typ" in metrics.mine_queue (did you mean type?); expected type, unit, better, meaning, watch, do, versions, since, until, replaced_by, total, repeats',
    ],
  ],
  [
    `${START}formulas:\n  - { name: hits, formula: hits / 2, unit: ratio, meaning: Hits. }\n  - { name: sums, formula: running + preemptions * output_tokens, unit: requests, meaning: Sum. }`,
    [
      expect.stringMatching(
        /^m\.yaml:4:28: invalid formulas\[0\]\.formula: "hits \/ 2", column 1: unknown role "hits"; expected one of running, /,
      ),
      'm.yaml:5:28: invalid formulas[1].formula: "running + preemptions * output_tokens", column 9: cannot add preemptions * tokens to requests',
    ],
  ],
  [
    `${START}constants: { gpu_peak_operations: fast }`,
    [
      'm.yaml:3:35: invalid constants.gpu_peak_operations: "fast"; expected a number above 0, such as 989.0e+12',
    ],
  ],
])('reports the problems of %j', (text, problems) => {
  expect(listProblems(text)).toEqual(problems);
});

test.each([
  ['absent.yaml', 'cannot read the server definition "absent.yaml": the file does not exist'],
  ['.', 'cannot read the server definition ".": it is a folder'],
])('rejects %s', (path, message) => {
  expect(() => readDefinitionFile(path, folder)).toThrow(message);
});
