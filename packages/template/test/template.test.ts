import { describe, expect, test } from 'vitest';
import { compileTemplate, TemplateError } from '../src/index.ts';

describe('templates', () => {
  test.each([
    ['a variable', 'Hello {{ name }}', { name: 'Ann' }, 'Hello Ann'],
    ['JSON', '{"text": {{ texts|tojson }}}', { texts: ['a "b"'] }, '{"text": ["a \\"b\\""]}'],
    ['a loop', '{% for x in items %}{{ x.id }},{% endfor %}', { items: [{ id: 1 }, { id: 2 }] }, '1,2,'],
    ['a range', '{% for i in range(1, 7, 2) %}{{ i }}{% endfor %}', {}, '135'],
    ['arithmetic', '{{ concurrency * 2 }}', { concurrency: 8 }, '16'],
    ['a condition', '{% if stream %}yes{% else %}no{% endif %}', { stream: false }, 'no'],
    ['a boolean in lower case', '{"stream": {{ stream|lower }}}', { stream: true }, '{"stream": true}'],
    ['a number as a text', '{{ n|trim|replace("1", "2") }}', { n: 115 }, '225'],
    ['a text in upper case', '{{ text|upper }}', { text: 'a' }, 'A'],
    ['a value that is missing', '[{{ missing }}]', {}, '[]'],
    ['a variable with the name of a global', '{{ range }}', { range: 3 }, '3'],
  ])('render %s', (_, source, variables, expected) => {
    expect(compileTemplate(source).render(variables)).toBe(expected);
  });

  test('are compiled once and rendered with different variables', () => {
    const template = compileTemplate('{{ n }}');
    expect([1, 2].map(n => template.render({ n }))).toEqual(['1', '2']);
  });

  test.each([
    ['a constructor of a text', `{{ ''.constructor.constructor('return process')() }}`],
    ['a prototype of a list', `{{ [].__proto__.constructor('return process')() }}`],
    ['a subclass as in Python', `{{ ''.__class__.__mro__[1].__subclasses__() }}`],
    ['a property of a variable', `{{ item['constructor']('return process')() }}`],
    ['another template', `{% include '/etc/passwd' %}`],
    ['a module', `{% import '/etc/passwd' as x %}`],
    ['the global object', '{{ globalThis.process.exit() }}'],
    ['a function of the library', '{{ range.constructor("return process")() }}'],
  ])('cannot access %s', (_, source) => {
    expect(() => compileTemplate(source).render({ item: { id: 1 } })).toThrow(TemplateError);
  });

  test.each([
    [
      'nested loops',
      '{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}',
      'takes more than 100000 steps',
    ],
    [
      'empty loops over the same list',
      '{% set r = range(9000) %}{% for a in r %}{% for b in r %}{% endfor %}{% endfor %}',
      'takes more than 100000 steps',
    ],
    ['a long range', '{{ range(1000000000) }}', 'range has more than 10000 integers'],
    ['a range without end', '{{ range(0, 9, 0) }}', 'range requires integers'],
    [
      'a text that doubles',
      `{% set x = 'xxxxxxxx' %}${'{% set x = x ~ x %}'.repeat(30)}{{ x }}`,
      'creates a text of more than 16777216 characters',
    ],
    ['a macro that calls itself', '{% macro f(g) %}{{ g(g) }}{% endmacro %}{{ f(f) }}', 'Maximum call stack'],
  ])('stop: %s', (_, source, message) => {
    expect(() => compileTemplate(source).render({})).toThrow(
      expect.objectContaining({ name: 'TemplateError', message: expect.stringContaining(message) }),
    );
  });

  test('are rejected if they are invalid or too long', () => {
    expect(() => compileTemplate('{{ open')).toThrow(TemplateError);
    expect(() => compileTemplate('x'.repeat(2 ** 20 + 1))).toThrow('has 1048577 characters');
  });
});
