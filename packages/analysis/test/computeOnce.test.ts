import { expect, test } from 'vitest';
import { computeOnce } from '../src/computeOnce.ts';

test('computes the result for each object once, also if it is undefined', () => {
  const computed: string[] = [];
  const find = computeOnce(({ name }: { readonly name: string }) => {
    computed.push(name);
    return name === 'none' ? undefined : name.length;
  });
  const [vllm, none] = [{ name: 'vllm' }, { name: 'none' }];
  expect([find(vllm), find(vllm), find(none), find(none), find({ ...vllm })]).toEqual([
    4,
    4,
    undefined,
    undefined,
    4,
  ]);
  expect(computed).toEqual(['vllm', 'none', 'vllm']);
});
