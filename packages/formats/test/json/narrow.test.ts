import { expect, it } from 'vitest';
import { narrowIntegers } from '../../src/json/narrow.ts';
import { parseJson } from '../../src/json/parse.ts';

it('makes numbers of wide integers, but not of times and of what belongs to the user', () => {
  const { value } = parseJson(
    '{"stats": {"avg": 9007199254740993}, "start_ns": 1765793061967310849, "input_config": {"seed": 9007199254740993}}',
  );
  narrowIntegers(value as object);
  expect(value).toEqual({
    stats: { avg: 9007199254740992 },
    start_ns: 1765793061967310849n,
    input_config: { seed: 9007199254740993n },
  });
});
