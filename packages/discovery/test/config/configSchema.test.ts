import { findNode, listKnownKeys } from '@org/terminal/userFile';
import { expect, test } from 'vitest';
import { readConfigSchema } from '../../src/config/configSchema.ts';

const schema = readConfigSchema();

test.each<[(string | number)[], string[]]>([
  [[], ['defaults', 'targets', 'sources', 'discovery', 'servers']],
  [
    ['defaults', 'tls'],
    ['ca_file', 'cert_file', 'key_file', 'insecure'],
  ],
  [
    ['defaults', 'basic_auth'],
    ['username', 'password', 'password_file'],
  ],
])('lists the known keys at %j', (path, expected) => {
  expect(listKnownKeys(findNode(path, schema)!, schema)).toEqual(expected);
});

test('a target has the keys of the defaults, and url, exact, server and labels', () => {
  const defaults = listKnownKeys(findNode(['defaults'], schema)!, schema);
  const target = listKnownKeys(findNode(['targets', 3], schema)!, schema);
  expect(target.filter(key => !defaults.includes(key))).toEqual(['url', 'exact', 'server', 'labels']);
  expect(target).toEqual(expect.arrayContaining(defaults));
});

test.each([
  [['targets', 0, 'timeout'], 'a number of seconds from 0.001 to 300'],
  [['defaults', 'limits', 'samples'], 'an integer of at least 1'],
])('finds the description of expected values at %j', (path, expected) => {
  expect(findNode(path, schema)!['x-expected']).toBe(expected);
});

test.each([[['unknown']], [['targets', 0, 'timeout', 'unknown']], [['constructor']]])(
  'finds no schema at %j',
  path => {
    expect(findNode(path, schema)).toBeUndefined();
  },
);
