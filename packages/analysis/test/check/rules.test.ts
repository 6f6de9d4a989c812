import { expect, test } from 'vitest';
import { InvalidRuleError, parseAssertion, parseRules } from '../../src/check/rules.ts';

test('parses names, warnings, comments and continued lines', () => {
  const rules = parseRules(
    '\uFEFF# gates\n\na.avg < 5 # fine\nwarn "long: \\"one\\"": a.avg\n    < 3\r\n"named": a{x="#"}.avg > 1\nerror a.avg == 4\n',
    'gates.txt',
  );
  expect(rules.map(({ name, severity, text, location }) => [name, severity, text, location])).toEqual([
    ['a.avg < 5', 'error', 'a.avg < 5', 'gates.txt:3'],
    ['long: "one"', 'warn', 'a.avg < 3', 'gates.txt:4'],
    ['named', 'error', 'a{x="#"}.avg > 1', 'gates.txt:6'],
    ['a.avg == 4', 'error', 'a.avg == 4', 'gates.txt:7'],
  ]);
});

test.each(['', '\n\n', '# nothing\n  # indented'])('parses %j as no rules', content => {
  expect(parseRules(content, 'gates.txt')).toEqual([]);
});

test('parses an assertion', () => {
  expect(parseAssertion('warn "queue": a.max < 5')).toMatchObject({
    name: 'queue',
    severity: 'warn',
    text: 'a.max < 5',
    location: '--assert',
  });
});

test.each([
  ['a.avg < 5\na.avg <> 5\n', 'gates.txt:2', 7],
  ['"name": a.avg <\n  \n', 'gates.txt:1', 7],
  ['"only a name":', 'gates.txt:1', 0],
])('rejects %j with its location and offset', (content, location, offset) => {
  expect(() => parseRules(content, 'gates.txt')).toThrow(InvalidRuleError);
  expect(() => parseRules(content, 'gates.txt')).toThrow(
    expect.objectContaining({ location, problem: expect.objectContaining({ offset }) }),
  );
});
