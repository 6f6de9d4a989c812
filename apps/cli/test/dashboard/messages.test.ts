import { expect, test } from 'vitest';
import { createDashboardLog } from '../../src/dashboard/createDashboard.ts';
import type { Dashboard } from '../../src/dashboard/dashboard.ts';
import { Messages } from '../../src/dashboard/messages.ts';
import { createTestLog } from '../support/log.ts';

test('messages are written to the log in order, each once', () => {
  const messages = new Messages();
  const log = createTestLog();
  messages.add({ level: 'info', text: 'first', seconds: 0 });
  messages.add({ level: 'warning', text: 'second', seconds: 1 });
  messages.flush(log);
  messages.flush(log);
  expect(log.lines).toEqual(['info: first', 'warning: second']);
});

test('of more than 1000 messages, the newest are kept and the others are counted', () => {
  const messages = new Messages();
  const log = createTestLog();
  for (let i = 0; i < 1003; i++) messages.add({ level: 'info', text: String(i), seconds: i });
  messages.flush(log);
  expect(log.lines).toHaveLength(1001);
  expect(log.lines.slice(0, 2)).toEqual(['warning: omitted 3 earlier messages', 'info: 3']);
});

test('a log passes through the dashboard only while it is open', () => {
  const kept: string[] = [];
  const dashboard = {
    isOpen: true,
    addMessage: (level: string, text: string) => kept.push(`${level} ${text}`),
  };
  const log = createTestLog();
  const both = createDashboardLog(log, () => dashboard as unknown as Dashboard);
  both.warning('while open');
  dashboard.isOpen = false;
  both.error('after it');
  expect(kept).toEqual(['warning while open']);
  expect(log.lines).toEqual(['error: after it']);
});
