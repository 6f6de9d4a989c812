import { expect, test } from 'vitest';
import { listProblems, readConfig } from '../configFiles.ts';

test('keeps the keys that describe a run, and reads the endpoints of the same file', () => {
  const { run, targets } = readConfig('benchmark: { model: m }\ntargets: [{ url: h:1 }]\n');
  expect(run!.value).toEqual({ benchmark: { model: 'm' } });
  expect(targets).toHaveLength(1);
});

test.each(['schemaVersion', 'schema_version', 'random_seed', 'multiRun', 'variables', 'endpoint', 'phases'])(
  'a file with the key %s describes a run',
  key => {
    expect(readConfig(`${key}: 1\n`).run!.value).toEqual({ [key]: 1 });
  },
);

test('other files list endpoints only', () => {
  expect(readConfig('targets: [{ url: h:1 }]\n').run).toBeUndefined();
  expect(listProblems('benchmarks: 1\n')).toEqual([expect.stringContaining('unknown key "benchmarks"')]);
});

test.each([
  ['8', 8],
  ['1.5', 1.5],
  ['True', true],
  ['x', 'x'],
  ['12345678901234567890', '12345678901234567890'],
])('in the keys of a run, the variable %j becomes a value', (text, value) => {
  const { run } = readConfig(`benchmark: { a: "\${A}", b: "x\${A}" }`, { A: text });
  expect(run!.value).toEqual({ benchmark: { a: value, b: `x${text}` } });
});

test('in the keys of endpoints, a variable is always a text', () => {
  const { config } = readConfig(`benchmark: {}\ntargets: [{ url: h:1, headers: { A: "\${A}" } }]`, {
    A: '8',
  });
  expect(config.targets[0]!.headers).toEqual({ A: '8' });
});

test('a key called __proto__ does not change the prototype of a value', () => {
  const { run } = readConfig('benchmark: {}\nvariables: { __proto__: { polluted: true } }');
  expect(Object.keys(run!.value.variables as object)).toEqual(['__proto__']);
  expect((run!.value.variables as { polluted?: boolean }).polluted).toBeUndefined();
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});
