import { compile, TreeInterpreter } from '@jmespath-community/jmespath';
import { Budget, checkSource, withTemplateErrors } from './limits.ts';

/** A compiled JMESPath query. */
export interface CompiledQuery {
  /** Returns the result for a JSON value; null if nothing matches. Throws `TemplateError` if the query fails, or exceeds a limit. */
  search(json: unknown): unknown;
}

type Visit = typeof TreeInterpreter.visit;
type Json = Parameters<typeof TreeInterpreter.search>[1];

/** Compiles a JMESPath query (https://jmespath.site). Throws `TemplateError` if the query is invalid. */
export function compileQuery(source: string): CompiledQuery {
  checkSource(source);
  const program = withTemplateErrors(() => compile(source));
  return {
    search: json => withTemplateErrors(() => limitInterpreter(new Budget()).search(program, json as Json)),
  };
}

/** Creates an interpreter that stops when it exceeds a limit. */
function limitInterpreter(budget: Budget): typeof TreeInterpreter {
  const interpreter = Object.create(TreeInterpreter) as typeof TreeInterpreter;
  interpreter.visit = function visit(node, value): ReturnType<Visit> {
    // The library also reads fields that an object inherits, such as `constructor`.
    if (node.type === 'Field' && !hasField(value, node.name)) return null;
    const result = TreeInterpreter.visit.call(this, node, value as Json);
    if (typeof result === 'string') budget.chargeText(result);
    else budget.charge(Array.isArray(result) ? result.length : 0);
    return result;
  };
  return interpreter;
}

function hasField(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name);
}
