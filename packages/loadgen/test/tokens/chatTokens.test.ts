import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { measureTemplate, openChatCounter } from '../../src/tokens/chatTokens.ts';
import { writeTempFile } from '../support/files.ts';

/** A tokenizer that counts characters. */
const tokenizer = { name: 'characters', count: (text: string) => text.length };
const TEMPLATE = `{{ bos_token }}{% for m in messages %}<{{ m.role }}>{{ m.content }}{{ eos_token }}{% endfor %}<a>`;

/** Writes the files of a tokenizer. Returns its folder. */
function writeTokenizer(config: object, files: Readonly<Record<string, string>> = {}): string {
  const folder = dirname(writeTempFile('tokenizer.json', '{}'));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'tokenizer_config.json'), JSON.stringify(config));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const input = { messages: [{ role: 'user', content: 'Hi' }], toolTexts: ['tool'] };

test.each([
  ['the configuration', { chat_template: TEMPLATE, bos_token: '^', eos_token: { content: '$' } }, {}, 17],
  ['a file, which takes precedence', { chat_template: 'x' }, { 'chat_template.jinja': 'four' }, 8],
  [
    'the default of several',
    {
      chat_template: [
        { name: 'rag', template: 'x' },
        { name: 'default', template: 'three' },
      ],
    },
    {},
    9,
  ],
])('counts messages and texts of tools with the template of %s', async (_, config, files, tokens) => {
  const count = await openChatCounter(writeTokenizer(config, files), tokenizer);
  expect(count(input)).toEqual({ tokens });
});

test.each([
  ['has no template', {}, 'the tokenizer has no chat template'],
  [
    'has only other templates',
    { chat_template: [{ name: 'rag', template: 'x' }] },
    'the tokenizer has no chat template',
  ],
  [
    'has an invalid template',
    { chat_template: '{% if %}' },
    expect.stringMatching(/^the chat template failed: /),
  ],
  [
    'refuses the messages',
    { chat_template: `{{ raise_exception('no users') }}` },
    'the chat template failed: no users',
  ],
])('names the problem of a tokenizer that %s', async (_, config, problem) => {
  const count = await openChatCounter(writeTokenizer(config), tokenizer);
  expect(count(input)).toEqual({ problem });
});

test('the built-in tokenizer has no template', async () => {
  const count = await openChatCounter('o200k_base', tokenizer);
  expect(count(input)).toEqual({ problem: 'the tokenizer has no chat template' });
});

test.each([
  ['a template', { chat_template: TEMPLATE, bos_token: '^', eos_token: '$' }, { request: 2, message: 10 }],
  // 10.5 tokens in the mean of both roles, which Python rounds to 10.
  [
    'a template with half a token',
    { chat_template: TEMPLATE.replace('{% endfor %}', '!{% endfor %}'), bos_token: '^', eos_token: '$' },
    { request: 2, message: 10 },
  ],
  ['no template', {}, { request: 0, message: 0 }],
  [
    'a template that refuses assistants',
    { chat_template: `{% for m in messages %}{{ raise_exception('no') }}{% endfor %}` },
    { request: 0, message: 0 },
  ],
  ['a template that omits texts', { chat_template: 'x' }, { request: 0, message: 0 }],
])('measures the tokens of %s', async (_, config, expected) => {
  expect(await measureTemplate(writeTokenizer(config), tokenizer)).toEqual(expected);
});
