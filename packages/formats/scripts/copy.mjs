// What tsc leaves behind: the validators (JavaScript already) and the schemas, which travel with the package.
import { cpSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
cpSync(join(root, 'src/generated/validators'), join(root, 'dist/generated/validators'), { recursive: true });
const schemas = join(root, '../../schemas');
for (const name of readdirSync(schemas).filter(name => name.endsWith('.schema.json')))
  cpSync(join(schemas, name), join(root, 'dist/schemas', name));
