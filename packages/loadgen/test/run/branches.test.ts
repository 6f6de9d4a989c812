import { expect, test } from 'vitest';
import { openDagInputs } from '../../src/input/dagInputs.ts';
import { openTokenizer } from '../../src/tokens/tokenizer.ts';
import { writeJsonl } from '../support/files.ts';
import { runLoad } from '../support/load.ts';
import { DONE, END, formatChatEvent, formatChunk, formatHead, startRawServer } from '../support/server.ts';
import { LocalCounter } from '../support/tokenCounter.ts';

interface Message {
  readonly role: string;
  readonly content: string;
}

const turn = (content: string, more: object = {}) => ({ messages: [{ role: 'user', content }], ...more });
const line = (id: string, ...turns: object[]) => ({ session_id: id, turns });

/** Starts a server that responds with `re: ` and the last message. A response waits until a message has arrived, if one is named. */
async function startServer(waits: Readonly<Record<string, string>> = {}, failing = '') {
  const arrived: string[] = [];
  const waiting = new Map<string, () => void>();
  const { url, received } = await startRawServer((socket, { body }) => {
    const { messages } = JSON.parse(body) as { readonly messages: readonly Message[] };
    const { content } = messages.at(-1)!;
    arrived.push(content);
    const respond = (): void => {
      if (content === failing) {
        socket.end('HTTP/1.1 500 Error\r\ncontent-length: 0\r\n\r\n');
        return;
      }
      socket.write(formatHead());
      socket.write(formatChunk(formatChatEvent(`re: ${content}`) + DONE));
      socket.write(END);
    };
    const awaited = waits[content];
    if (awaited === undefined || arrived.includes(awaited)) respond();
    else waiting.set(awaited, respond);
    waiting.get(content)?.();
  });
  const readMessages = (): Message[][] => received.map(({ body }) => JSON.parse(body).messages);
  return { url, arrived, readMessages };
}

const LINES = [
  {
    ...line(
      'root',
      turn('plan', { spawns: [{ children: ['s'], join_at: 2 }] }),
      turn('between'),
      turn('merge', { forks: ['f', 'g'] }),
    ),
    pre_session_spawns: ['p'],
  },
  line('p', turn('early')),
  line('s', turn('spawn')),
  line('f', turn('fork'), turn('fork again')),
  line('g', turn('other fork')),
];

test.each([1, 3])(
  'branches start after their turn, and turns wait for them, with concurrency %d',
  async concurrency => {
    // The spawned conversation ends only after the turn between has arrived.
    const { url, arrived, readMessages } = await startServer({ spawn: 'between' });
    const { summary, records } = await runLoad(url, {
      inputs: await openDagInputs(writeJsonl(...LINES)),
      profiling: { concurrency, sessionCount: 1, requestCount: 100 },
      counter: new LocalCounter(await openTokenizer()),
    });
    expect(summary.phases[0]).toMatchObject({ sessions: 1, sent: 8, succeeded: 8, stopReason: 'sessions' });
    expect(arrived.indexOf('early')).toBeLessThan(arrived.indexOf('merge'));
    expect(arrived.indexOf('merge')).toBeGreaterThan(arrived.indexOf('spawn'));
    const texts = new Map(
      readMessages().map(messages => [messages.at(-1)!.content, messages.map(({ content }) => content)]),
    );
    const history = ['plan', 're: plan', 'between', 're: between', 'merge', 're: merge'];
    expect(texts.get('spawn')).toEqual(['spawn']);
    expect(texts.get('merge')).toEqual(history.slice(0, 5));
    expect(texts.get('fork again')).toEqual([...history, 'fork', 're: fork', 'fork again']);
    expect(texts.get('other fork')).toEqual([...history, 'other fork']);
    // A fork counts the tokens of the messages that it continues.
    const find = (id: string, number: number) =>
      records.find(record => record.conversationId === id && record.turn === number)!;
    expect(find('g', 0).counted!.input).toBeGreaterThan(find('root', 2).counted!.input! + 3);
    expect(new Set(records.map(({ correlationId }) => correlationId)).size).toBe(5);
  },
);

test('a branch that fails does not keep its turn waiting', async () => {
  const { url, arrived } = await startServer({}, 'spawn');
  const { summary } = await runLoad(url, {
    inputs: await openDagInputs(
      writeJsonl(
        line('a', turn('plan', { spawns: ['s'] }), turn('merge')),
        line('s', turn('spawn'), turn('later')),
      ),
    ),
    profiling: { concurrency: 1, sessionCount: 1, requestCount: 100 },
  });
  expect(arrived).toEqual(['plan', 'spawn', 'merge']);
  expect(summary.phases[0]).toMatchObject({ succeeded: 2, failed: 1 });
});

test('a number of requests limits branches, too', async () => {
  const { url, arrived } = await startServer();
  const { summary } = await runLoad(url, {
    inputs: await openDagInputs(writeJsonl(...LINES)),
    profiling: { concurrency: 1, requestCount: 3 },
  });
  expect(arrived).toHaveLength(3);
  expect(summary.phases[0]).toMatchObject({ sent: 3, stopReason: 'requests' });
});

test('branches take the arrivals of a rate', async () => {
  const { url, arrived } = await startServer();
  const { summary } = await runLoad(url, {
    inputs: await openDagInputs(writeJsonl(...LINES)),
    profiling: { rate: 200, pattern: 'constant', sessionCount: 2, requestCount: 16 },
  });
  expect(arrived).toHaveLength(16);
  expect(summary.phases[0]).toMatchObject({ sent: 16, sessions: 2 });
});
