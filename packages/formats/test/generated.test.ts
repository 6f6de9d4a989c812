import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
// @ts-expect-error: a build script without type declarations
import { generate, generatedFolder, SAME_FIELDS, schemasFolder } from '../scripts/generate.mjs';

const folder: string = generatedFolder;

describe('generated files', () => {
  it('match the schemas (run `pnpm build` after a change)', async () => {
    const files: ReadonlyMap<string, string> = await generate();
    for (const [path, content] of files)
      expect(readFileSync(join(folder, path), 'utf8') === content, path).toBe(true);
    const fileNames = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name =>
      /\.(js|ts)$/.test(name),
    );
    expect(fileNames.sort()).toEqual([...files.keys()].sort());
  });
});

interface Node {
  readonly $id?: string;
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly $defs?: Readonly<Record<string, Node>>;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly 'x-unit'?: string;
  readonly 'x-source'?: string;
}

const schemas = readdirSync(schemasFolder as string).filter(name => name.endsWith('.schema.json'));

describe('schemas', () => {
  it.each(schemas)(
    '%s has an id, and every field has a description, a source and, for numbers, a unit',
    name => {
      const schema: Node = JSON.parse(readFileSync(join(schemasFolder as string, name), 'utf8'));
      expect(schema.$id).toMatch(/^urn:servelens:schema:[a-z-]+:(1\.\d(\.\d)?|legacy)$/);
      for (const [path, field] of listFields(schema)) {
        if (field.$ref) continue;
        expect(field.description, path).toMatch(/^\S.*[.:]/);
        expect(field['x-source'] ?? field.properties, path).toBeDefined();
        const isNumber =
          'int64' in field || [field.type].flat().some(type => /^(number|integer)$/.test(type ?? ''));
        if (isNumber) expect(field['x-unit'], path).toBeDefined();
      }
    },
  );
});

/** Returns the text of a schema without what identifies its version. */
function readFields(name: string): string {
  const schema = JSON.parse(readFileSync(join(schemasFolder as string, `${name}.schema.json`), 'utf8'));
  const { $id: _id, description: _description, ...rest } = schema;
  delete rest.properties.schema_version.const;
  return JSON.stringify(rest, null, 1);
}

it.each(Object.entries(SAME_FIELDS as Readonly<Record<string, string>>))(
  'the schemas %s and %s have the same fields (make every change in both)',
  (newer, older) => {
    expect(readFields(older)).toBe(readFields(newer));
  },
);

function listFields(node: Node, path = ''): [string, Node][] {
  return [
    ...Object.entries(node.properties ?? {}).flatMap(([key, field]) => [
      [`${path}.${key}`, field] as [string, Node],
      ...listFields(field, `${path}.${key}`),
    ]),
    ...Object.entries(node.$defs ?? {}).flatMap(([key, field]) => listFields(field, key)),
  ];
}
