import { describe, expect, test } from 'vitest';
import { openEndpoint } from '../../src/endpoint/endpoints.ts';

const params = {
  model: 'm',
  messages: [
    { role: 'system', content: 'be brief' },
    { role: 'user', content: 'say "hi"', contents: { images: ['https://h/a.png'] } },
  ],
  maxTokens: 4,
  stream: false,
  usage: true,
  legacyMaxTokens: false,
};

describe('a template', () => {
  test.each([
    ['{"text": {{ text|tojson }}}', { text: 'say "hi"' }],
    ['{"all": {{ texts|tojson }}, "m": "{{ model }}"}', { all: ['say "hi"'], m: 'm' }],
    ['{"n": {{ max_tokens }}, "s": {{ stream|tojson }}, "r": "{{ role }}"}', { n: 4, s: false, r: 'user' }],
    ['{"i": {{ image|tojson }}, "a": {{ audio|tojson }}}', { i: 'https://h/a.png', a: null }],
    [
      '{"m": [{% for t in turns %}{"role": "{{ t.role }}", "content": {{ t.texts[0].contents[0]|tojson }}}{{ "," if not loop.last }}{% endfor %}]}',
      {
        m: [
          { role: 'system', content: 'be brief' },
          { role: 'user', content: 'say "hi"' },
        ],
      },
    ],
    ['{"t": {{ texts_by_name.text|tojson }}}', { t: ['say "hi"'] }],
  ])('renders the body %s', async (template, body) => {
    expect((await openEndpoint('template', { template })).buildBody(params)).toEqual(body);
  });

  test('has the query and the passages of a ranking', async () => {
    const { buildBody } = await openEndpoint('template', {
      template: '{"q": {{ query|tojson }}, "p": {{ passages|tojson }}}',
    });
    const messages = [{ role: 'user', content: 'query', contents: { passages: ['a', 'b'] } }];
    expect(buildBody({ ...params, messages })).toEqual({ q: 'query', p: ['a', 'b'] });
  });

  test('has no text if the message has only images', async () => {
    const { buildBody } = await openEndpoint('template', {
      template: '{"t": {{ text|tojson }}, "all": {{ texts|tojson }}, "i": {{ images|tojson }}}',
    });
    const messages = [{ role: 'user', content: '', contents: { images: ['a'] } }];
    expect(buildBody({ ...params, messages })).toEqual({ t: null, all: [], i: ['a'] });
  });

  test('that does not render a JSON object fails with the rendered text', async () => {
    const { buildBody } = await openEndpoint('template', { template: '{"text": "{{ text }}"}' });
    expect(() => buildBody(params)).toThrow(
      'the template does not render a JSON object: {"text": "say "hi""}; format texts with {{ text|tojson }}',
    );
  });

  test.each([[{ template: '{{ open' }], [{ template: '{}', responseField: 'a[' }]])(
    'is rejected if it is invalid: %j',
    async format => {
      await expect(openEndpoint('template', format)).rejects.toThrow(
        expect.objectContaining({ name: 'TemplateError' }),
      );
    },
  );
});

describe('the response of an unknown API', () => {
  test.each([
    ['plain words', { text: 'plain words', results: 0 }],
    [{ content: 'a text' }, { text: 'a text', results: 0 }],
    [{ output: ['a', 'b'] }, { text: 'ab', results: 0 }],
    [{ choices: [{ delta: { content: 'chunk' } }] }, { text: 'chunk', results: 0 }],
    [{ choices: [{ message: { content: 'chat' } }] }, { text: 'chat', results: 0 }],
    [{ data: [{ object: 'embedding', embedding: [1] }] }, { text: '', results: 1 }],
    [[{ index: 0, score: 1 }], { text: '', results: 1 }],
    [{ other: 1 }, { text: '', results: 0 }],
  ])('is recognized: %j', async (json, expected) => {
    const { parseResponse } = await openEndpoint('raw');
    expect(parseResponse(json)).toMatchObject(expected);
  });

  test('is searched with a query', async () => {
    const { parseResponse } = await openEndpoint('template', { template: '{}', responseField: 'a.b' });
    expect(parseResponse({ a: { b: 'found' }, text: 'other' })).toMatchObject({ text: 'found' });
    expect(parseResponse({ a: { b: [[1, 2], [3]] } })).toMatchObject({ text: '', results: 2 });
  });

  test('is empty if the query of a template finds nothing, so that a typing error is noticed', async () => {
    const format = { template: '{}', responseField: 'missing' };
    expect((await openEndpoint('template', format)).parseResponse({ text: 'other' }).text).toBe('');
    expect((await openEndpoint('raw', format)).parseResponse({ text: 'other' }).text).toBe('other');
  });
});
