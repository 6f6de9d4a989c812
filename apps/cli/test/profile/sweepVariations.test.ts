import { expect, test } from 'vitest';
import { readVariations } from '../../src/profile/sweepVariations.ts';

test('returns one variation without parameters if there is no list', () => {
  const { parameters, variations } = readVariations({ concurrency: 4, model: 'a,b' });
  expect(parameters).toEqual([]);
  expect(variations).toEqual([
    { index: 0, label: 'base', parameters: {}, values: {}, raw: { concurrency: 4, model: 'a,b' } },
  ]);
});

test('a comma may end a list', () => {
  const { variations } = readVariations({ concurrency: '4,1, ' });
  expect(variations.map(({ values }) => Object.values(values))).toEqual([[4], [1]]);
});

test('returns a variation for each value of a list, in order', () => {
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

test('returns all combinations of several lists; the last parameter changes fastest', () => {
  const { parameters, variations } = readVariations({ 'request-rate': '0.5,2', concurrency: '1,2' });
  expect(parameters.map(({ name }) => name)).toEqual(['concurrency', 'rate']);
  expect(variations.map(({ label }) => label)).toEqual([
    'concurrency_1__request_rate_0.5',
    'concurrency_1__request_rate_2',
    'concurrency_2__request_rate_0.5',
    'concurrency_2__request_rate_2',
  ]);
  expect(variations.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
});

test('orders and names parameters as AIPerf does', () => {
  const lists = { concurrency: '1,2', 'output-tokens-mean': '3,4', 'synthetic-input-tokens-mean': '5,6' };
  const { parameters, variations } = readVariations(lists);
  expect(parameters.map(({ name }) => name)).toEqual([
    'datasets.main.prompts.isl.mean',
    'datasets.main.prompts.osl.mean',
    'concurrency',
  ]);
  expect(variations[1]).toMatchObject({
    label: 'isl_5__osl_3__concurrency_2',
    parameters: { 'datasets.main.prompts.isl.mean': 5, 'datasets.main.prompts.osl.mean': 3, concurrency: 2 },
  });
});

test.each([
  ['synthetic-input-tokens-stddev', '1,2', 'datasets.main.prompts.isl.stddev', [1, 2]],
  ['output-tokens-stddev', '1,2', 'datasets.main.prompts.osl.stddev', [1, 2]],
  ['conversation-turn-mean', '1,2', 'datasets.main.turns.mean', [1, 2]],
  ['num-sessions', '5,10', 'phases.profiling.sessions', [5, 10]],
  ['benchmark-duration', '30,60', 'phases.profiling.duration', [30, 60]],
  ['benchmark-duration', '500ms,30s,1m', 'phases.profiling.duration', [0.5, 30, 60]],
])('sweeps --%s %s', (option, list, path, values) => {
  const { parameters, variations } = readVariations({ [option]: list });
  expect(parameters).toMatchObject([{ option, path, values }]);
  expect(variations.map(({ raw }) => raw[option])).toEqual(values);
});

test.each([
  [{ 'request-count': '10,40,20' }, 40],
  [{ 'num-sessions': '10,20', 'request-count': '100,200' }, 20],
  [{ 'num-sessions': '10,20', 'num-dataset-entries': '5' }, '5'],
  [{ 'request-count': '10,20', 'num-sessions': '5' }, undefined],
  [{ 'request-count': '10,20', 'unique-prompts': true }, undefined],
  [{ concurrency: '10,20' }, undefined],
])('all variations of %j have the same prompts, enough for the largest', (raw, entries) => {
  const { variations } = readVariations(raw);
  for (const variation of variations) expect(variation.raw['num-dataset-entries']).toBe(entries);
});

test.each([
  [
    { concurrency: '1,,4' },
    /^invalid --concurrency "1,,4": "" is not a number; expected a comma-separated list such as 1,2,4$/,
  ],
  [{ concurrency: '1,many' }, /"many" is not a number/],
  [{ 'benchmark-duration': '30s,,' }, /"" is not a number/],
  [{ 'request-rate': '2,4,2.0' }, /duplicate value 2$/],
])('rejects %j', (raw, message) => {
  expect(() => readVariations(raw)).toThrow(message);
});

test('pairs the values of several lists with --sweep-type zip', () => {
  const { variations } = readVariations({
    'sweep-type': 'zip',
    concurrency: '1,2,2',
    'output-tokens-mean': '10,20,30',
  });
  expect(variations.map(({ label }) => label)).toEqual([
    'osl_10__concurrency_1',
    'osl_20__concurrency_2',
    'osl_30__concurrency_2',
  ]);
});

test.each([
  [
    { concurrency: '1,2', 'output-tokens-mean': '10,20,30' },
    '--sweep-type zip requires lists of the same length: --output-tokens-mean has 3 values, --concurrency 2',
  ],
  [{ concurrency: '1,1', 'output-tokens-mean': '10,10' }, '--sweep-type zip: duplicate values 10, 1'],
])('rejects the lists %j with --sweep-type zip', (lists, message) => {
  expect(() => readVariations({ ...lists, 'sweep-type': 'zip' })).toThrow(message);
});

test('sweeps the prefill concurrency and the number of users', () => {
  const { parameters } = readVariations({ 'prefill-concurrency': '1,2', 'num-users': '5,10' });
  expect(parameters.map(({ name }) => name)).toEqual(['prefill_concurrency', 'users']);
});
