import { describe, expect, test } from 'vitest';
import { compileQuery, TemplateError } from '../src/index.ts';

describe('queries', () => {
  test.each([
    ['choices[0].message.content', { choices: [{ message: { content: 'hi' } }] }, 'hi'],
    ['data[].embedding', { data: [{ embedding: [1] }, { embedding: [2] }] }, [[1], [2]]],
    ['missing.field', {}, null],
    ['length(items)', { items: [1, 2] }, 2],
  ])('%s', (source, json, expected) => {
    expect(compileQuery(source).search(json)).toEqual(expected);
  });

  test.each(['constructor', '__proto__', 'a.constructor'])('cannot access the property %s', source => {
    expect(compileQuery(source).search({ a: 1 })).toBeNull();
  });

  test('stop if they take too many steps', () => {
    const doubling = `[@, @][] ${'| [@, @][] '.repeat(40)}`;
    expect(() => compileQuery(doubling).search([1])).toThrow('takes more than 100000 steps');
  });

  test('are rejected if they are invalid', () => {
    expect(() => compileQuery('a[')).toThrow(TemplateError);
  });
});
