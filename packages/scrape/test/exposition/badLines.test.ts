import { expect, test } from 'vitest';
import { BadLineLog } from '../../src/exposition/badLines.ts';
import { toBody } from '../../src/exposition/body.ts';
import { ExpositionError } from '../../src/exposition/exposition.ts';

const BODY = toBody(Buffer.from('a 1\nb x\n'));

test('throws for the first invalid line in strict mode', () => {
  const log = new BadLineLog(BODY, true);
  expect(() => log.add(2, 4, 7, 'expected a number, got x')).toThrow(
    new ExpositionError(2, 'b x', 'expected a number, got x'),
  );
});

test('lists the first 20 invalid lines and counts all in lenient mode', () => {
  const log = new BadLineLog(BODY, false);
  for (let line = 1; line <= 25; line++) log.add(line, 4, 7, 'wrong');
  expect(log.count).toBe(25);
  expect(log.listed.map(({ line }) => line)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  expect(log.listed[0]).toMatchObject({ text: 'b x', reason: 'wrong' });
});

test('truncates long lines and reasons', () => {
  const log = new BadLineLog(toBody(Buffer.from('é'.repeat(5000))), false);
  log.add(1, 0, 10_000, 'r'.repeat(5000));
  expect(log.listed[0]).toMatchObject({ text: `${'é'.repeat(200)}…`, reason: `${'r'.repeat(200)}…` });
});
