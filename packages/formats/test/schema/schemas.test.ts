import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadValidator, type SchemaName, schemaShapes } from '../../src/schema/schemas.ts';

/** Schemas of files that users write. They are not used to read or write exports. */
const INPUT_SCHEMAS = ['config', 'server-definition.1'];

const folder = join(import.meta.dirname, '../../../../schemas');
const names = readdirSync(folder)
  .map(name => name.replace('.schema.json', ''))
  .filter(name => !INPUT_SCHEMAS.includes(name)) as SchemaName[];

it('every schema has a shape', () => {
  expect(Object.keys(schemaShapes).sort()).toEqual(names.sort());
});

it.each(names)('the validator of %s reports a value that is not an object', async name => {
  const validator = await loadValidator(name);
  expect(validator('text')).toBe(false);
  expect(validator.errors).toMatchObject([{ keyword: 'type', instancePath: '', data: 'text' }]);
});
