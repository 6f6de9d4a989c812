import { expect, test } from 'vitest';
import { createDelta, readChoices, readError, toFields, toText } from '../../src/endpoint/responseFields.ts';

test.each([[null], [undefined], [5], ['text']])('reads no fields from %j', value => {
  expect(toFields(value)).toEqual({});
});

test.each([
  ['text', 'text'],
  [5, ''],
  [null, ''],
])('reads %j as the text %j', (value, text) => {
  expect(toText(value)).toBe(text);
});

test('reads an invalid choice as a choice without fields', () => {
  expect(readChoices({ choices: [{ index: 0 }, null] })).toEqual([{ index: 0 }, {}]);
  expect(readChoices({ choices: {} })).toEqual([]);
});

test('reads the fields that all APIs share', () => {
  const json = {
    id: 'cmpl-1',
    model: 'm',
    choices: [{ finish_reason: '' }, { finish_reason: 'stop' }],
    usage: { prompt_tokens: 3 },
  };
  expect(createDelta(json, 'text', 'thought')).toEqual({
    text: 'text',
    reasoning: 'thought',
    usage: { promptTokens: 3 },
    finishReason: 'stop',
    id: 'cmpl-1',
    model: 'm',
    error: undefined,
    results: 0,
  });
});

test('ignores fields of the wrong type', () => {
  expect(createDelta({ id: 7, model: null, choices: 'none', usage: null }, '', '')).toMatchObject({
    id: undefined,
    model: undefined,
    finishReason: undefined,
    usage: undefined,
  });
});

test.each([
  ['in the error field', { error: { message: 'boom', code: 500 } }],
  ['at the top level', { object: 'error', message: 'boom', code: 500 }],
])('finds an error %s', (_, json) => {
  expect(createDelta(json, '', '').error).toMatchObject({ message: 'boom', code: 500 });
});

test.each([
  ['no room', { message: 'no room', type: undefined, code: undefined }],
  [
    { message: 'bad', type: 'BadRequest', code: '400' },
    { message: 'bad', type: 'BadRequest', code: 400 },
  ],
  [
    { message: 'slow down', code: 'rate_limit_exceeded' },
    { message: 'slow down', type: 'rate_limit_exceeded', code: undefined },
  ],
  [{ detail: 'Not Found' }, { message: 'Not Found' }],
  [{ detail: [{ loc: ['body'] }] }, { message: '[{"loc":["body"]}]' }],
  [{ unknown: 1 }, { message: '{"unknown":1}' }],
])('reads the error %j', (value, error) => {
  expect(readError(value)).toMatchObject(error);
});
