import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type ChatMessage, compileChatTemplate, TemplateError } from '../src/index.ts';

/** Templates and chats, and the texts that the library `transformers` renders; null if the template refuses the chat. */
const { templates, texts } = JSON.parse(
  readFileSync(new URL('files/chatTemplates.json', import.meta.url), 'utf8'),
) as {
  templates: Record<string, { template: string; tokens: Record<string, string> }>;
  texts: Record<string, Record<string, { messages: ChatMessage[]; text: string | null }>>;
};

describe.each(Object.entries(templates))('the template %s', (name, { template, tokens }) => {
  test.each(Object.entries(texts[name]!))('renders %s like transformers', (_, { messages, text }) => {
    const render = (): string => compileChatTemplate(template, tokens).render(messages);
    if (text === null) expect(render).toThrow(TemplateError);
    else expect(render()).toBe(text);
  });
});

const messages: ChatMessage[] = [{ role: 'user', content: 'Hi' }];

test('refuses messages with the text of the template', () => {
  const template = compileChatTemplate(`{{ raise_exception('one message is ' + messages[0].role) }}`);
  expect(() => template.render(messages)).toThrow(new TemplateError('one message is user'));
});

test.each([
  ['%d %b %Y', /^\d\d [A-Z][a-z]{2} \d{4}$/],
  ['%A, %B %d, %y %% %Q', /^[A-Z][a-z]+day, [A-Z][a-z]+ \d\d, \d\d % %Q$/],
  ['%a %H:%M:%S %I %p %m', /^[A-Z][a-z]{2} \d\d:\d\d:\d\d \d\d [AP]M \d\d$/],
])('formats the current time as %j', (format, expected) => {
  expect(compileChatTemplate(`{{ strftime_now('${format}') }}`).render([])).toMatch(expected);
});

test('evaluates long conversations, but not without a limit', () => {
  const template = compileChatTemplate(
    '{% for m in messages %}{{ messages[loop.index0 - 1].role + m.content }}{% endfor %}',
  );
  const long = Array.from({ length: 300 }, () => messages[0]!);
  expect(template.render(long)).toHaveLength(300 * 6);
  const endless = compileChatTemplate(
    "{% set ns = namespace(t='12345678') %}{% for i in range(99) %}{% set ns.t = ns.t + ns.t %}{% endfor %}",
  );
  expect(() => endless.render(messages)).toThrow('creates a text of more than');
});
