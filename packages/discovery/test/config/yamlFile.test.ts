import { expect, test } from 'vitest';
import { listProblems, readConfig } from '../configFiles.ts';

test('supports anchors and aliases', () => {
  const { config } = readConfig(
    'targets:\n  - url: h:1\n    headers: &h { A: "1" }\n  - url: h:2\n    headers: *h\n',
  );
  expect(config.targets.map(({ headers }) => headers)).toEqual([{ A: '1' }, { A: '1' }]);
});

test.each([
  [`a\${A}b`, 'aXb'],
  [`$\${A}`, `\${A}`],
  ['$A $ {A}', '$A $ {A}'],
  [`\${A}\${A}`, 'XX'],
  [`\${A:y}\${B:y z}`, 'Xy z'],
  [`\${B:http://h:1/}`, 'http://h:1/'],
  [`\${B:}`, ''],
])('expands environment variables in %s to %s', (text, value) => {
  const { config } = readConfig(`defaults: { headers: { H: "${text}" } }`, { A: 'X' });
  expect(config.defaults.headers).toEqual({ H: value });
});

test.each<[string, string[]]>([
  [
    'defaults: { basic_auth: { username: u, password: *a } }',
    ['1:50: alias of an unknown anchor; text that starts with * must be quoted'],
  ],
  [
    `defaults: { headers: { a: "\${NOPE}" } }`,
    ['1:27: environment variable NOPE is not set; write $${ for a literal ${'],
  ],
  ['defaults: { timeout: 1, timeout: 2 }', ['1:25: duplicate key']],
  ['defaults: { timeout: 1', ['1:23: invalid indentation, or a missing closing bracket']],
  ['a: b: c', ['1:4: unexpected colon; text that contains ": " must be quoted']],
  [
    'a: |\n\tb',
    [
      '2:1: invalid indentation, or a missing closing bracket',
      '2:2: missing character: a closing quote, a closing bracket, or a colon after a key',
    ],
  ],
  ['a: 1\n---\nb: 2', ['2:1: unexpected second document; expected one document']],
  [
    `defaults: { headers: { a: "\${1x}" } }`,
    [
      `1:27: invalid variable name after \${; expected \${NAME} or \${NAME:default}; write $\${ for a literal \${`,
    ],
  ],
])('reports the problems of %j', (text, problems) => {
  expect(listProblems(text)).toEqual(problems);
});

test('rejects exponentially nested aliases', () => {
  const levels = Array.from(
    { length: 12 },
    (_, i) =>
      `a${i}: &a${i} [${
        i === 0
          ? 'x'
          : Array(10)
              .fill(`*a${i - 1}`)
              .join(', ')
      }]`,
  );
  expect(listProblems(levels.join('\n'))).toEqual(['1:1: too many aliases of anchors']);
});

test('rejects an alias of a value that contains the alias', () => {
  expect(listProblems('a: &a { b: [*a] }')).toEqual(['1:13: alias of a value that contains the alias']);
});

test.each([
  ['values', `${'{a: '.repeat(400)}1${'}'.repeat(400)}`],
  ['lists', `a: ${'['.repeat(400)}1${']'.repeat(400)}`],
])('rejects deeply nested %s', (_, text) => {
  expect(listProblems(text)).toEqual([
    expect.stringMatching(/: nested too deeply; expected at most 256 levels$/),
  ]);
});
