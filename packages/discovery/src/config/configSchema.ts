import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { SchemaNode } from '@org/terminal/userFile';

/** Reads the JSON Schema of configuration files, which is part of `@org/formats`. */
export function readConfigSchema(): SchemaNode {
  schema ??= parseSchema();
  return schema;
}

let schema: SchemaNode | undefined;

function parseSchema(): SchemaNode {
  const formats = createRequire(import.meta.url).resolve('@org/formats');
  return JSON.parse(readFileSync(join(dirname(formats), 'schemas/config.schema.json'), 'utf8'));
}
