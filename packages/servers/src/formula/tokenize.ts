import { FormulaError } from './formula.ts';

/** A word, number, quoted text or symbol of a formula. The last token is an empty symbol. */
export interface Token {
  readonly kind: 'name' | 'number' | 'text' | 'symbol';
  /** The text; without its quotes for quoted text. */
  readonly text: string;
  readonly at: number;
}

/** The maximum length of a formula. */
const MAX_CHARACTERS = 2000;

const TOKEN =
  /\s*(?:(?<number>\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)|(?<name>[A-Za-z_]\w*)|"(?<text>[^"]*)"|(?<symbol>[-+*/(){}[\],=]))/uy;

/** Splits a formula into tokens. Throws `FormulaError` at a character that formulas do not contain. */
export function tokenize(text: string): readonly Token[] {
  if (text.length > MAX_CHARACTERS)
    throw new FormulaError(`the formula is longer than ${MAX_CHARACTERS} characters`, MAX_CHARACTERS);
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  let position = 0;
  while (position < end) {
    TOKEN.lastIndex = position;
    const match = TOKEN.exec(text);
    if (!match) {
      const at = position + /^\s*/.exec(text.slice(position))![0].length;
      throw new FormulaError(`unexpected ${JSON.stringify(text[at])}`, at);
    }
    const [kind, value] = Object.entries(match.groups!).find(([, group]) => group !== undefined)!;
    const quotes = kind === 'text' ? 2 : 0;
    tokens.push({
      kind: kind as Token['kind'],
      text: value!,
      at: TOKEN.lastIndex - value!.length - quotes,
    });
    position = TOKEN.lastIndex;
  }
  return [...tokens, { kind: 'symbol', text: '', at: text.length }];
}
