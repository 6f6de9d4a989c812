import { expect, test } from 'vitest';
import { Session } from '../../src/run/session.ts';

const conversation = {
  id: 'c',
  system: 'be kind',
  turns: [
    { text: 'one', tokens: 1 },
    { text: 'two', role: 'tool' },
  ],
};

test('adds responses to the messages of later turns', () => {
  const session = new Session(conversation, 0, 'id');
  expect(session.buildMessages()).toEqual([
    { role: 'system', content: 'be kind' },
    { role: 'user', content: 'one' },
  ]);
  expect(session.advance('first response')).toBe(true);
  expect(session.turn).toBe(1);
  expect(session.buildMessages()).toEqual([
    { role: 'system', content: 'be kind' },
    { role: 'user', content: 'one' },
    { role: 'assistant', content: 'first response' },
    { role: 'tool', content: 'two' },
  ]);
  expect(session.advance('second response')).toBe(false);
});

test('knows the id of the previous response, and the messages that a server lacks that has stored it', () => {
  const session = new Session({ ...conversation, context: 'my files' }, 0, 'id');
  expect(session.previousResponseId).toBeUndefined();
  session.advance('first response', 'r1');
  expect(session.previousResponseId).toBe('r1');
  expect(session.buildNewMessages()).toEqual([
    { role: 'system', content: 'be kind' },
    { role: 'tool', content: 'two' },
  ]);
});

test('lists the texts whose token counts are unknown', () => {
  const session = new Session(conversation, 0, 'id');
  expect(session.findUncounted()).toEqual({ texts: ['be kind'], knownTokens: 1 });
  session.advance('');
  expect(session.findUncounted()).toEqual({ texts: ['two'], knownTokens: 0 });
});

test('the context precedes the first turn, and belongs to it', () => {
  const session = new Session({ ...conversation, context: 'my files' }, 0, 'id');
  expect(session.buildMessages()).toEqual([
    { role: 'system', content: 'be kind' },
    { role: 'user', content: 'my files' },
    { role: 'user', content: 'one' },
  ]);
  expect(session.findUncounted()).toEqual({ texts: ['be kind', 'my files'], knownTokens: 1 });
  session.advance('');
  expect(session.buildMessages().slice(0, 2)).toEqual([
    { role: 'system', content: 'be kind' },
    { role: 'user', content: 'my files' },
  ]);
  expect(session.findUncounted()).toEqual({ texts: ['two'], knownTokens: 0 });
});

test('turns without history are sent with the system message only, whose tokens count each time', () => {
  const session = new Session({ ...conversation, sendsHistory: false }, 0, 'id');
  session.advance('first response');
  expect(session.buildMessages()).toEqual([
    { role: 'system', content: 'be kind' },
    { role: 'tool', content: 'two' },
  ]);
  expect(session.findUncounted()).toEqual({ texts: ['be kind', 'two'], knownTokens: 0 });
});
