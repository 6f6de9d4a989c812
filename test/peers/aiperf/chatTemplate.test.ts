import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { runServelens } from '../../servelens.ts';
import { root } from '../../source.ts';
import { describePeer } from '../support/peer.ts';
import { Aiperf } from './aiperf.ts';
import { RequestServer } from './stub/requestServer.ts';
import { writeTokenizer } from './tokenizer.ts';

/** Templates and chats of the unit tests, which also contain the texts that this test computes. */
const FILE = join(root, 'packages/template/test/files/chatTemplates.json');

interface Template {
  readonly template: string;
  readonly tokens: Readonly<Record<string, string>>;
}

interface Chat {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

const { templates, chats, texts } = JSON.parse(readFileSync(FILE, 'utf8')) as {
  templates: Record<string, Template>;
  chats: Record<string, Chat>;
  texts: Record<string, Record<string, { text: string | null }>>;
};

/** The result of count_chats.py for a template. */
interface Counts {
  readonly chats: Readonly<Record<string, { readonly text: string; readonly tokens: number } | null>>;
  readonly added: { readonly request: number; readonly message: number };
}

describePeer('aiperf', 'Chat templates', peer => {
  const aiperf = new Aiperf(peer);
  const folders = Object.keys(templates).map(name => join(aiperf.folder, name));
  let counts: Readonly<Record<string, Counts>>;
  let server: RequestServer;

  beforeAll(async () => {
    server = await RequestServer.start();
    for (const [index, template] of Object.values(templates).entries())
      writeChatTokenizer(folders[index]!, template);
    const file = join(aiperf.folder, 'chats.json');
    writeFileSync(file, JSON.stringify(chats));
    counts = (await aiperf.runScript('count_chats.py', [file, ...folders])) as typeof counts;
  });

  afterAll(async () => {
    await server.stop();
    rmSync(aiperf.folder, { recursive: true });
  });

  /** Sends the chats, and returns the input length of each. */
  async function measure(name: string, bodies: Readonly<Record<string, object>>): Promise<number[]> {
    const file = join(aiperf.folder, `${name}.jsonl`);
    const lines = Object.values(bodies).map(body => `${JSON.stringify({ model: 'm', ...body })}\n`);
    writeFileSync(file, lines.join(''));
    const folder = join(aiperf.folder, `run ${name}`);
    const { code, stderr } = await runServelens([
      ...['profile', '--model', 'm', '--url', server.url, '--tokenizer', join(aiperf.folder, name)],
      ...['--input-file', file, '--custom-dataset-type', 'raw_payload', '--request-count', `${lines.length}`],
      ...['--concurrency', '1', '--apply-chat-template', '--token-count', 'client', '--ui', 'none'],
      ...['--no-server-metrics', '--artifact-dir', folder],
    ]);
    expect(code, stderr).toBe(0);
    return readInputLengths(folder);
  }

  describe.runIf(inject('peers').isFull).each(Object.keys(templates))('%s', name => {
    test('renders the texts that the unit tests expect', () => {
      const rendered = Object.entries(counts[name]!.chats).map(([chat, count]) => [
        chat,
        count?.text ?? null,
      ]);
      const expected = Object.entries(texts[name]!).map(([chat, { text }]) => [chat, text]);
      expect(rendered).toEqual(expected);
    });

    test('counts as many tokens as transformers for each chat that the template accepts', async () => {
      const accepted = Object.entries(chats).filter(([chat]) => counts[name]!.chats[chat] !== null);
      const lengths = await measure(name, Object.fromEntries(accepted));
      const expected = accepted.map(([chat]) => counts[name]!.chats[chat]!.tokens);
      expect(lengths).toEqual(expected);
    });

    test('generates prompts that are shorter by the tokens of the template', async () => {
      const folder = join(aiperf.folder, `synthetic ${name}`);
      const before = server.requests.length;
      const { code, stderr } = await runServelens([
        ...['profile', '--model', 'm', '--url', server.url, '--tokenizer', join(aiperf.folder, name)],
        ...['--isl', '200', '--num-sessions', '1', '--conversation-turn-mean', '2', '--concurrency', '1'],
        ...['--apply-chat-template', '--ui', 'none', '--no-server-metrics', '--artifact-dir', folder],
      ]);
      expect(code, stderr).toBe(0);
      const [first, second] = server.requests.slice(before).map(({ body }) => {
        const messages = body.messages as Chat['messages'];
        return String(messages.at(-1)!.content).length;
      });
      const { request, message } = counts[name]!.added;
      expect([first, second]).toEqual([200 - request - message, 200 - message]);
    });
  });
});

/** Writes a tokenizer with a chat template, whose special tokens are one token each. */
function writeChatTokenizer(folder: string, { template, tokens }: Template): void {
  mkdirSync(folder);
  writeTokenizer(folder);
  const file = join(folder, 'tokenizer.json');
  const tokenizer = JSON.parse(readFileSync(file, 'utf8')) as {
    added_tokens: object[];
    model: { vocab: object };
  };
  const first = Object.keys(tokenizer.model.vocab).length;
  const special = [
    ...new Set([...Object.values(tokens), ...(template.match(/<\|[a-z_]+\|>|<bos>|<s>|<\/s>/g) ?? [])]),
  ];
  const added = special.map((content, index) => ({
    ...tokenizer.added_tokens[0],
    id: first + index,
    content,
  }));
  writeFileSync(file, JSON.stringify({ ...tokenizer, added_tokens: [...tokenizer.added_tokens, ...added] }));
  const configuration = join(folder, 'tokenizer_config.json');
  const config = JSON.parse(readFileSync(configuration, 'utf8')) as object;
  writeFileSync(configuration, JSON.stringify({ ...config, ...tokens, chat_template: template }));
}

/** Reads the input lengths of the requests of a run, in the order of the requests. */
function readInputLengths(folder: string): number[] {
  const lines = readFileSync(join(folder, 'profile_export.jsonl'), 'utf8').trim().split('\n');
  return lines.map(line => {
    const { metrics } = JSON.parse(line) as { metrics: { input_sequence_length: { value: number } } };
    return metrics.input_sequence_length.value;
  });
}
