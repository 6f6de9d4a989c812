import type { Program } from './jinja.ts';
import { listNodes, type TemplateNode } from './nodes.ts';

/** Filters of texts. As in Jinja, they also accept numbers, booleans and lists, whose text they change. */
const TEXT_FILTERS: ReadonlySet<unknown> = new Set([
  ...['lower', 'upper', 'title', 'capitalize', 'trim', 'replace', 'indent'],
]);

/** The application of a filter to an operand. */
interface FilterNode extends TemplateNode {
  operand: object;
  /** A name, or a call with arguments. */
  readonly filter: TemplateNode & { readonly callee?: TemplateNode };
}

/** Makes filters of texts convert their operand to a text first, because the library applies them only to texts. */
export function convertOperands(program: Program): void {
  for (const node of listNodes(program).filter(isTextFilter))
    node.operand = {
      type: 'FilterExpression',
      operand: node.operand,
      filter: { type: 'Identifier', value: 'string' },
    };
}

function isTextFilter(node: TemplateNode): node is FilterNode {
  if (node.type !== 'FilterExpression') return false;
  const { filter } = node as FilterNode;
  return TEXT_FILTERS.has((filter.callee ?? filter).value);
}
