import { expect, test } from 'vitest';
import { isTemplate, type RenderedDocument, renderDocument } from '../src/index.ts';

function render(
  document: unknown,
  {
    variables = {},
    values = {},
  }: {
    readonly variables?: Readonly<Record<string, unknown>>;
    readonly values?: Readonly<Record<string, unknown>>;
  } = {},
): RenderedDocument {
  const parseText = (text: string): unknown => (/^\d+$/.test(text) ? Number(text) : text);
  return renderDocument({ document, variables, values, rawKeys: ['body'], parseText });
}

test.each([
  ['{{ a }}', true],
  ['{% if a %}b{% endif %}', true],
  ['{ a }', false],
])('%j is a template: %j', (text, expected) => {
  expect(isTemplate(text)).toBe(expected);
});

test('renders all texts of a document, and parses what templates return', () => {
  const { document, problems } = render(
    { a: '{{ n * 2 }}', b: ['n', '{{ n // 5 }}', 7], c: { d: 'x{{ n }}' } },
    { variables: { n: 16 } },
  );
  expect(problems).toEqual([]);
  expect(document).toEqual({ a: 32, b: ['n', 3, 7], c: { d: 'x16' }, variables: { n: 16 } });
});

test('renders variables in the order of their references', () => {
  const { document } = render({}, { variables: { a: '{{ b + 1 }}', b: '{{ c * 2 }}', c: 4 } });
  expect(document).toEqual({ variables: { a: 9, b: 8, c: 4 } });
});

test('variables take precedence over other values', () => {
  const { document } = render({ x: '{{ n }}/{{ m }}' }, { variables: { n: 1 }, values: { n: 2, m: 3 } });
  expect(document).toEqual({ x: '1/3', variables: { n: 1 } });
});

test('keeps values whose keys are excluded', () => {
  expect(render({ body: '{{ text }}' }).document).toEqual({ body: '{{ text }}' });
});

test.each([
  ['a name that is not defined', { a: { b: ['{{ n }}'] } }, ['a', 'b', 0], '"n" is not defined'],
  ['a field that is not defined', { a: '{{ o.n }}' }, ['a'], '"o.n" is not defined'],
  ['a syntax error', { a: '{{ o' }, ['a'], 'Unexpected end of input'],
])('reports the path of %s', (_, document, path, message) => {
  const { problems } = render(document, { values: { o: {} } });
  expect(problems).toEqual([{ path, message: expect.stringContaining(message) }]);
});

test('a default replaces a name that is not defined', () => {
  expect(render({ a: '{{ n | default(3) }}' })).toEqual({ document: { a: 3 }, problems: [] });
});

test('reports variables that refer to each other in a circle', () => {
  expect(render({}, { variables: { a: '{{ b }}', b: '{{ a }}' } }).problems).toEqual([
    { path: ['variables', 'a'], message: 'the variables refer to each other in a circle: a, b' },
  ]);
});

test('all templates of a document share one limit', () => {
  const loop = '{% for i in range(9000) %}{% endfor %}';
  const { problems } = render(Array.from({ length: 200 }, () => loop));
  expect(problems.length).toBeGreaterThan(100);
  expect(problems.at(-1)!.message).toBe('takes more than 100000 steps');
});

test('the size of the values that templates refer to counts', () => {
  const large = Array.from({ length: 40_000 }, (_, index) => index);
  const { problems } = render(['{{ large[0] }}', '{{ large[1] }}'], { values: { large } });
  expect(problems).toEqual([{ path: [1], message: 'takes more than 100000 steps' }]);
});
