import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
// @ts-expect-error a script without types
import { generate, generatedFolder, serversFolder } from '../scripts/generate.mjs';
import { builtInServers } from '../src/builtInServers.ts';

test.each([...(generate() as Map<string, string>)])(
  'src/generated/%s is up to date with the files in servers/',
  (path, content) => {
    expect(readFileSync(join(generatedFolder as string, path), 'utf8')).toBe(content);
  },
);

test('every file in servers/ defines a server', () => {
  const files = readdirSync(serversFolder as string).filter(name => name.endsWith('.yaml'));
  expect(files.length).toBeGreaterThan(4);
  expect(builtInServers.servers).toHaveLength(files.length);
});
