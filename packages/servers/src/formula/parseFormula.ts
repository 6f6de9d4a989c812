import { constants, roles } from '../generated/roles.ts';
import type { Constant, MetricRole } from '../role.ts';
import {
  FORMULA_FUNCTIONS,
  FormulaError,
  type FormulaFunction,
  type FormulaNode,
  isReplicaFunction,
  type LabelMatch,
  listNodes,
  type Operator,
} from './formula.ts';
import { type Token, tokenize } from './tokenize.ts';

/** The roles by their name in files. */
const ROLES: ReadonlyMap<string, MetricRole> = new Map(
  Object.entries(roles).map(([role, { name }]) => [name, role as MetricRole]),
);

/** The maximum depth of parentheses. */
const MAX_DEPTH = 50;

/**
 * Parses a formula. Returns its alternatives, which `else` separates: the first one whose metrics exist is used.
 *
 * @throws FormulaError if the text is invalid, or if it contains unknown names
 */
export function parseFormula(text: string): readonly FormulaNode[] {
  return new Parser(tokenize(text)).parse();
}

class Parser {
  readonly #tokens: readonly Token[];
  #position = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): readonly FormulaNode[] {
    const alternatives = [this.#parseSum()];
    while (this.#take('else')) alternatives.push(this.#parseSum());
    const { text, at } = this.#next;
    if (text !== '') throw new FormulaError(`expected an operator or the end, but found ${quote(text)}`, at);
    return alternatives;
  }

  get #next(): Token {
    return this.#tokens[this.#position]!;
  }

  #take(text: string): boolean {
    if (this.#next.kind === 'text' || this.#next.text !== text) return false;
    this.#position++;
    return true;
  }

  #expect(text: string): void {
    if (this.#take(text)) return;
    const { text: found, at } = this.#next;
    throw new FormulaError(
      `expected ${quote(text)}, but found ${found === '' ? 'the end' : quote(found)}`,
      at,
    );
  }

  #parseSum(): FormulaNode {
    return this.#parseChain(['+', '-'], () => this.#parseChain(['*', '/'], () => this.#parseOperand()));
  }

  #parseChain(operators: readonly Operator[], parse: () => FormulaNode): FormulaNode {
    let left = parse();
    for (;;) {
      const { at } = this.#next;
      const operator = operators.find(candidate => this.#take(candidate));
      if (operator === undefined) return left;
      left = { kind: 'binary', operator, left, right: parse(), at };
    }
  }

  #parseOperand(): FormulaNode {
    const token = this.#next;
    if (token.kind === 'symbol' && token.text === '(') return this.#parseBrackets();
    this.#position++;
    if (token.kind === 'number')
      return { kind: 'number', value: Number(token.text), unit: this.#parseUnit(), at: token.at };
    if (token.kind === 'name')
      return this.#next.text === '(' ? this.#parseCall(token) : this.#parseName(token);
    throw new FormulaError(
      `expected a role, a number or a function, but found ${token.text === '' ? 'the end' : quote(token.text)}`,
      token.at,
    );
  }

  #parseBrackets(): FormulaNode {
    const { at } = this.#next;
    this.#expect('(');
    if (++this.#depth > MAX_DEPTH) throw new FormulaError('brackets are nested too deeply', at);
    const node = this.#parseSum();
    this.#depth--;
    this.#expect(')');
    return node;
  }

  #parseUnit(): string | null {
    if (!this.#take('[')) return null;
    const names: string[] = [];
    while (this.#next.kind === 'name' || this.#next.text === '/') {
      names.push(this.#next.text);
      this.#position++;
    }
    this.#expect(']');
    return names.join('');
  }

  #parseCall({ text, at }: Token): FormulaNode {
    const name = FORMULA_FUNCTIONS.find(candidate => candidate === text);
    if (name === undefined)
      throw new FormulaError(
        `unknown function ${quote(text)}; expected one of ${FORMULA_FUNCTIONS.join(', ')}`,
        at,
      );
    const argument = this.#parseBrackets();
    checkArgument(name, argument);
    return { kind: 'call', name, argument, at };
  }

  #parseName({ text, at }: Token): FormulaNode {
    if (Object.hasOwn(constants, text)) return { kind: 'constant', name: text as Constant, at };
    const role = ROLES.get(text);
    if (role === undefined)
      throw new FormulaError(
        `unknown role ${quote(text)}; expected one of ${[...ROLES.keys(), ...Object.keys(constants)].join(', ')}`,
        at,
      );
    return { kind: 'role', role, where: this.#parseWhere(), at };
  }

  #parseWhere(): LabelMatch[] {
    const matches: LabelMatch[] = [];
    if (!this.#take('{')) return matches;
    do {
      const label = this.#parseWord('name', 'the name of a label');
      this.#expect('=');
      matches.push({ label, value: this.#parseWord('text', 'a value in quotes') });
    } while (this.#take(','));
    this.#expect('}');
    return matches;
  }

  #parseWord(kind: Token['kind'], expected: string): string {
    const token = this.#next;
    if (token.kind !== kind) throw new FormulaError(`expected ${expected}`, token.at);
    this.#position++;
    return token.text;
  }
}

function checkArgument(name: FormulaFunction, argument: FormulaNode): void {
  if (!isReplicaFunction(name)) {
    if (argument.kind !== 'role') throw new FormulaError(`${name}() takes a role`, argument.at);
    return;
  }
  const nested = listNodes(argument).find(node => node.kind === 'call' && isReplicaFunction(node.name));
  if (nested) throw new FormulaError(`${name}() cannot contain another function of replicas`, nested.at);
}

function quote(text: string): string {
  return JSON.stringify(text);
}
