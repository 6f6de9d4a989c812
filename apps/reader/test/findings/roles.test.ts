import { expect, test } from 'vitest';
import { SERVER_ROLES } from '../../src/findings/roles.ts';
import { SERVER_KINDS } from '../../src/servers.ts';

test('every kind of server has its roles, in metrics of its own', () => {
  expect(Object.keys(SERVER_ROLES).sort()).toEqual(SERVER_KINDS.map(({ name }) => name).sort());
  for (const { name, prefixes } of SERVER_KINDS)
    for (const metric of Object.values(SERVER_ROLES[name]!))
      expect(
        prefixes.some(prefix => metric.startsWith(prefix)),
        metric,
      ).toBe(true);
});
