import type { JournalWriter } from '@org/scrape';
import { expect, test } from 'vitest';
import { endJournal, type JournalEnd } from '../../src/lifecycle/journalEnd.ts';

interface Case {
  readonly name: string;
  readonly end: Partial<JournalEnd>;
  readonly bytes?: number;
  readonly missed?: number;
  readonly done: 'close' | 'remove';
  readonly said: readonly string[];
}

const stays = 'the journal stays: servelens recover runs/one';
const stuck = 'cannot remove the journal: it is stuck';
const cases: readonly Case[] = [
  { name: 'goes when all is written', end: {}, done: 'remove', said: [] },
  { name: 'stays when it is wanted', end: { keep: true }, done: 'close', said: [] },
  { name: 'stays for an export that is missing', end: { isWritten: false }, done: 'close', said: [stays] },
  {
    name: 'names what has to be done first, and what is lost',
    end: { isWritten: false, isFull: true },
    missed: 7,
    done: 'close',
    said: [
      'the journal stays: free some space, then servelens recover runs/one; 7 scrape(s) are lost: they could not be written',
    ],
  },
  {
    name: 'is not told to be there when it never was',
    end: { isWritten: false },
    bytes: 0,
    missed: 3,
    done: 'close',
    said: ['there is no journal; 3 scrape(s) are lost: they could not be written'],
  },
];

function journal(
  { bytes = 100, missed = 0 }: Partial<Case>,
  end: (what: string) => Promise<void>,
): JournalWriter {
  const fake = {
    byteLength: bytes,
    missedFrames: missed,
    close: () => end('close'),
    remove: () => end('remove'),
  };
  return fake as unknown as JournalWriter;
}

test.each(cases)('the journal $name', async ({ end, bytes, missed, done, said }) => {
  const warnings: string[] = [];
  const log = { warning: (text: string) => void warnings.push(text) };
  const seen: string[] = [];
  const shape = { ...(bytes === undefined ? {} : { bytes }), ...(missed === undefined ? {} : { missed }) };
  const writer = journal(shape, async what => void seen.push(what));
  await endJournal(writer, { isWritten: true, isFull: false, keep: false, folder: 'runs/one', log, ...end });
  expect(seen).toEqual([done]);
  expect(warnings).toEqual(said);
});

test('a journal that cannot be removed is told of', async () => {
  const warnings: string[] = [];
  const log = { warning: (text: string) => void warnings.push(text) };
  const writer = journal({}, async () => {
    throw new Error('it is stuck');
  });
  await endJournal(writer, { isWritten: true, isFull: false, keep: false, folder: 'runs/one', log });
  expect(warnings).toEqual([stuck]);
});
