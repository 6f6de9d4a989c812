import { expect, test } from 'vitest';
import { redactTargetLabels } from '../../src/endpoint/targetLabels.ts';

test('sorts labels by name, omits empty ones and redacts secrets', () => {
  const labels = redactTargetLabels({ pod: 'a', node: 'n1', zone: '', api_key: 'hunter2' });
  expect(Object.entries(labels!)).toEqual([
    ['api_key', expect.not.stringContaining('hunter2')],
    ['node', 'n1'],
    ['pod', 'a'],
  ]);
});

test.each([[undefined], [{}], [{ zone: '' }]])('returns nothing for %j', labels => {
  expect(redactTargetLabels(labels)).toBeUndefined();
});
