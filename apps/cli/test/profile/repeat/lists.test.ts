import { expect, test } from 'vitest';
import { readVariations } from '../../../src/profile/repeat/lists.ts';

test('without lists there is one variation, which is no sweep', () => {
  const { parameters, variations } = readVariations({ concurrency: 4, model: 'a,b' });
  expect(parameters).toEqual([]);
  expect(variations).toEqual([
    { index: 0, label: 'base', parameters: {}, values: {}, raw: { concurrency: 4, model: 'a,b' } },
  ]);
});

test('a list is a variation for each value, in its order', () => {
  const { variations } = readVariations({ concurrency: '4, 1,16', osl: 8 });
  expect(variations.map(({ label }) => label)).toEqual(['concurrency_4', 'concurrency_1', 'concurrency_16']);
  expect(variations[2]).toEqual({
    index: 2,
    label: 'concurrency_16',
    parameters: { concurrency: 16 },
    values: { 'phases.profiling.concurrency': 16 },
    raw: { concurrency: 16, osl: 8 },
  });
});

test('several lists are a grid; the last changes first', () => {
  const { parameters, variations } = readVariations({ 'request-rate': '0.5,2', concurrency: '1,2' });
  expect(parameters.map(({ name }) => name)).toEqual(['concurrency', 'request_rate']);
  expect(variations.map(({ label }) => label)).toEqual([
    'concurrency_1__request_rate_0.5',
    'concurrency_1__request_rate_2',
    'concurrency_2__request_rate_0.5',
    'concurrency_2__request_rate_2',
  ]);
  expect(variations.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
});

test('names of an option that yargs has beside it have the value, too', () => {
  const raw = { 'synthetic-input-tokens-mean': '10,20', isl: '10,20' };
  expect(readVariations(raw).variations[1]!.raw).toEqual({ 'synthetic-input-tokens-mean': 20, isl: 20 });
});

test.each([
  [{ concurrency: '1,,4' }, /--concurrency is "1,,4", in which "" is no number; expected numbers/],
  [{ concurrency: '1,many' }, /in which "many" is no number/],
  [{ 'request-rate': '2,4,2.0' }, /which has 2 twice; expected each value once/],
  [{ concurrency: ['1,2', '3'] }, /--concurrency is given 2 times/],
])('%j is refused', (raw, message) => {
  expect(() => readVariations(raw)).toThrow(message);
});
