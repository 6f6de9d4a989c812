import { expect, test } from 'vitest';
import { listVariantOptions, readVariants } from '../../src/profile/variants.ts';

const BASE = { model: 'm', 'request-count': 10, 'arrival-pattern': 'poisson' };

test('returns undefined without --variant', () => {
  expect(readVariants(BASE)).toBeUndefined();
});

test('each variant is a variation with its name and its options', () => {
  const { parameters, variations } = readVariants({
    ...BASE,
    variant: ['short: isl=100, osl=20', 'long: isl=4000'],
  })!;
  expect(parameters).toMatchObject([{ name: 'variant', path: 'variant', values: ['short', 'long'] }]);
  expect(variations).toEqual([
    {
      index: 0,
      label: 'short',
      parameters: { variant: 'short' },
      values: { variant: 'short' },
      raw: { ...BASE, 'synthetic-input-tokens-mean': '100', 'output-tokens-mean': '20' },
    },
    {
      index: 1,
      label: 'long',
      parameters: { variant: 'long' },
      values: { variant: 'long' },
      raw: { ...BASE, 'synthetic-input-tokens-mean': '4000' },
    },
  ]);
});

/** Returns the name and the options of a variant. */
function read(text: string): readonly [name: string, raw: object] {
  const { label, raw } = readVariants({ variant: [text, 'other: isl=1'] })!.variations[0]!;
  return [label, raw];
}

test.each<[string, string, object]>([
  ['isl=5', 'v0', { 'synthetic-input-tokens-mean': '5' }],
  ['a b : --isl=5', 'a b', { 'synthetic-input-tokens-mean': '5' }],
  ['a:request_rate=2.5,arrival_pattern=GAMMA', 'a', { 'request-rate': '2.5', 'arrival-pattern': 'gamma' }],
  ['a:url=http://h:1/x', 'a', { url: ['http://h:1/x'] }],
  ['a:streaming=true', 'a', { streaming: true }],
  ['a:streaming=False', 'a', { streaming: false }],
  ["a:system-prompt='x y'", 'a', { 'system-prompt': 'x y' }],
  ['{"name":"a","seq-dist":"64,10:50;128,20:50"}', 'a', { 'seq-dist': '64,10:50;128,20:50' }],
  ['{"request_count":7}', 'v0', { 'request-count': '7' }],
  [
    '{"name":"a","osl":null,"isl":3}',
    'a',
    { 'output-tokens-mean': undefined, 'synthetic-input-tokens-mean': '3' },
  ],
  ['{"name":"a","url":["http://h:1","http://h:2"]}', 'a', { url: ['http://h:1', 'http://h:2'] }],
])('reads %s', (text, name, raw) => {
  expect(read(text)).toEqual([name, raw]);
});

test.each<[string[], string]>([
  [['isl=5'], '--variant is set once; set it at least twice, or set its options directly'],
  [['a:isl=5', 'A:isl=6'], 'two variants have the name "a"'],
  [['a', 'b:isl=5'], 'invalid --variant "a": expected NAME: OPTION=VALUE, OPTION=VALUE; "a" has no "="'],
  [['a:', 'b:isl=5'], 'invalid --variant "a:": expected at least one OPTION=VALUE'],
  [['../a:isl=5', 'b:isl=5'], 'expected a name for a folder'],
  [['aggregate:isl=5', 'b:isl=5'], 'expected a name for a folder'],
  [['a:isll=5', 'b:isl=5'], 'invalid --variant "a:isll=5": unknown option --isll; did you mean --isl?'],
  [['a:artifact-dir=x', 'b:isl=5'], 'unknown option --artifact-dir'],
  [['a:arrival-pattern=x', 'b:isl=5'], 'invalid --arrival-pattern "x": expected one of'],
  [['{"isl":', 'b:isl=5'], 'invalid --variant "{\\"isl\\":": expected a JSON object'],
])('refuses %j', (variant, message) => {
  expect(() => readVariants({ variant })).toThrow(message);
});

test('refuses lists to sweep', () => {
  expect(() => readVariants({ variant: ['isl=1', 'isl=2'], concurrency: '1,2' })).toThrow(
    'cannot use both --variant and a list of --concurrency',
  );
});

test('lists the options that every variant sets', () => {
  expect(listVariantOptions({})).toEqual([]);
  expect(listVariantOptions({ variant: ['isl=1, osl=2', 'isl=3, streaming=true'] })).toEqual([
    'synthetic-input-tokens-mean',
  ]);
});
