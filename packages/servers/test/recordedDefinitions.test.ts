import { expect, test } from 'vitest';
import { readRecordedDefinitions } from '../src/recordedDefinitions.ts';

const VALID = { name: 'Mine', recognize: { prefixes: ['mine_'] } };

test('reads valid definitions', async () => {
  expect(await readRecordedDefinitions([VALID])).toEqual({ definitions: [VALID], problems: [] });
});

test('returns nothing for a run without definitions', async () => {
  expect(await readRecordedDefinitions(undefined)).toEqual({ definitions: [], problems: [] });
});

const PREFIX = 'server definition 2 of the run is ignored: ';

test.each<[string, unknown, string]>([
  ['a number', 5, `${PREFIX}invalid definition: 5; expected `],
  ['null', null, `${PREFIX}the file is empty; expected `],
  ['a list', [], `${PREFIX}invalid definition: a list; expected `],
  ['a missing name', { recognize: VALID.recognize }, `${PREFIX}the file requires name; expected `],
  ['an unknown field', { ...VALID, run: 'rm' }, `${PREFIX}unknown key "run"; expected `],
  [
    'a metric of another server',
    { ...VALID, roles: { waiting: { metrics: ['vllm:x'], operation: 'sum' } } },
    `${PREFIX}roles.waiting.metrics[0] is "vllm:x", which does not belong to the server; expected `,
  ],
  [
    'the prototype of objects',
    JSON.parse('{"name":"M","recognize":{"prefixes":["m_"]},"__proto__":{"roles":{}}}'),
    `${PREFIX}unknown key "__proto__"; expected `,
  ],
])('ignores %s with one sentence and keeps the valid definitions', async (_, invalid, problem) => {
  const { definitions, problems } = await readRecordedDefinitions([VALID, invalid]);
  expect(definitions).toEqual([VALID]);
  expect(problems).toHaveLength(1);
  expect(problems[0]!.slice(0, problem.length)).toBe(problem);
});

test('ignores definitions that are not a list', async () => {
  const { definitions, problems } = await readRecordedDefinitions(VALID);
  expect(definitions).toEqual([]);
  expect(problems).toEqual(['the recorded server definitions are ignored: expected a list']);
});

test('reads at most 100 definitions', async () => {
  const { definitions, problems } = await readRecordedDefinitions(Array.from({ length: 101 }, () => VALID));
  expect(definitions).toHaveLength(100);
  expect(problems).toEqual(['the run records 101 server definitions; only the first 100 are used']);
});
