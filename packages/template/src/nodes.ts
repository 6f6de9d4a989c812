import type { Program } from './jinja.ts';

/** A node of a parsed template. */
export interface TemplateNode {
  readonly type: string;
  readonly value?: unknown;
  readonly object?: TemplateNode;
  readonly property?: TemplateNode;
}

/** Properties of nodes that contain statements whose values are printed. */
const BLOCKS = ['body', 'alternate', 'defaultBlock'] as const;

/** Lists the names that a template refers to, including the names of its filters. */
export function listNames(program: Program): Set<string> {
  const nodes = listNodes(program).filter(({ type }) => type === 'Identifier');
  return new Set(nodes.map(({ value }) => String(value)));
}

/** Lists the statements whose values are printed. */
export function listPrintedNodes(program: Program): unknown[] {
  return listNodes(program).flatMap(node =>
    BLOCKS.flatMap(key => {
      const block = (node as unknown as Readonly<Record<string, unknown>>)[key];
      return Array.isArray(block) ? block : [];
    }),
  );
}

/** Lists all nodes of a template. */
export function listNodes(value: unknown): TemplateNode[] {
  if (typeof value !== 'object' || value === null) return [];
  const children = value instanceof Map ? [...value.keys(), ...value.values()] : Object.values(value);
  const isNode = 'type' in value && typeof value.type === 'string';
  return [...(isNode ? [value as TemplateNode] : []), ...children.flatMap(listNodes)];
}

/** Describes an expression by its name, such as `"a"` or `"a.b"`. */
export function describeExpression({ type, value, object, property }: TemplateNode): string {
  if (type === 'Identifier') return JSON.stringify(value);
  if (type !== 'MemberExpression') return 'the value of the expression';
  return JSON.stringify([object, property].map(node => node?.value ?? '…').join('.'));
}
