// Copies the generated parser to dist, because it is written in JavaScript, which tsc does not emit.
import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
cpSync(join(root, 'src/generated'), join(root, 'dist/generated'), {
  recursive: true,
  filter: source => !source.endsWith('.d.ts'),
});
