import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
// @ts-expect-error a script without types
import { generate, generatedFolder } from '../scripts/generate.mjs';

test.each([...(generate() as Map<string, string>)])(
  'src/generated/%s is up to date with the grammar',
  (path, content) => {
    expect(readFileSync(join(generatedFolder as string, path), 'utf8')).toBe(content);
  },
);
