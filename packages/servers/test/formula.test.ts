import { describe, expect, test } from 'vitest';
import { builtInServers } from '../src/builtInServers.ts';
import type { FormulaError } from '../src/formula/formula.ts';
import { parseFormula } from '../src/formula/parseFormula.ts';
import { checkUnits, isQuotientUnit } from '../src/formula/units.ts';

describe.each(builtInServers.formulas)('$name', ({ formula, unit }) => {
  test('has a valid formula with its unit', () => {
    expect(() => checkUnits(parseFormula(formula), unit)).not.toThrow();
  });
});

test.each([
  ['running', 'requests'],
  ['running * 2 + 1', 'requests'],
  ['running + 1[requests]', 'requests'],
  ['output_tokens / completed_requests', 'tokens/requests'],
  ['rate(output_tokens) / gpu_peak_operations', 'tokens/operations'],
  ['cache_hits{tier="a,b"} / (cache_hits + cache_misses)', 'ratio'],
  ['max(rate(output_tokens)) / median(rate(output_tokens))', 'ratio'],
  ['cache_hits / cache_queries else cache_hit_rate', 'ratio'],
  ['kv_cache_blocks * kv_cache_block_tokens', 'tokens'],
  ['2 / 4', 'ratio'],
  ['\n  running\n', 'requests'],
])('accepts %j in %s', (formula, unit) => {
  expect(() => checkUnits(parseFormula(formula), unit)).not.toThrow();
});

test.each([
  ['cache_hits +', 12, 'expected a role, a number or a function, but found the end'],
  ['cache_hits cache_queries', 11, 'expected an operator or the end, but found "cache_queries"'],
  ['(cache_hits', 11, 'expected ")", but found the end'],
  ['cache_hits & 1', 11, 'unexpected "&"'],
  ['cache_hit', 0, /^unknown role "cache_hit"; expected one of running, max_running, .*gpu_peak_bandwidth$/],
  ['avg(running)', 0, 'unknown function "avg"; expected one of rate, frontend, sum, mean, max, median'],
  ['rate(running + 1)', 13, 'rate() takes a role'],
  ['max(median(running))', 4, 'max() cannot contain another function of replicas'],
  ['running{engine=1}', 15, 'expected a value in quotes'],
  ['running{="1"}', 8, 'expected the name of a label'],
  ['cache_hits + output_tokens', 11, 'cannot add tokens to lookups'],
  ['output_tokens - output_tokens / engine_steps', 14, 'cannot subtract tokens/steps from tokens'],
  ['cache_hits', 0, 'the result is in lookups, but its unit is ratio'],
  ['cache_hits / cache_queries else cache_hits', 32, 'the result is in lookups, but its unit is ratio'],
  [`${'('.repeat(60)}running${')'.repeat(60)}`, 50, 'brackets are nested too deeply'],
  ['1'.repeat(2001), 2000, 'the formula is longer than 2000 characters'],
])('reports the problem of %j', (formula, at, message) => {
  let error: FormulaError | undefined;
  try {
    checkUnits(parseFormula(formula), 'ratio');
  } catch (caught) {
    error = caught as FormulaError;
  }
  expect(error?.name).toBe('FormulaError');
  expect(error?.message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
  expect(error?.at).toBe(at);
});

test.each([
  ['ratio', true],
  ['tokens', false],
  ['tokens/steps', true],
  ['bytes/seconds', false],
  ['operations/bytes', true],
])('values in %s are quotients: %s', (unit, isQuotient) => {
  expect(isQuotientUnit(unit)).toBe(isQuotient);
});
