import type { Expression } from './expression.ts';
import { parseExpression } from './parseExpression.ts';
import { ExpressionError } from './ruleError.ts';

/** One rule: an expression with a name, and whether it decides. */
export interface Rule {
  /** As given, else the expression itself. */
  readonly name: string;
  /** A `warn` rule is reported and does not decide. */
  readonly severity: 'error' | 'warn';
  readonly text: string;
  readonly expression: Expression;
  /** File and line, or `--assert`. */
  readonly place: string;
}

/** A rule that cannot be read, and where it stands. */
export class InvalidRuleError extends Error {
  override readonly name: string = 'RulesError';
  readonly place: string;
  readonly rule: ExpressionError;

  constructor(place: string, rule: ExpressionError) {
    super(`${place}: ${rule.message}`, { cause: rule });
    this.place = place;
    this.rule = rule;
  }
}

/** One `--assert`. Throws `RulesError` for a text that is no rule. */
export function parseAssertion(text: string): Rule {
  return ruleOf(text, '--assert');
}

/**
 * The rules of a file: one on a line, `warn` and a name in quotes before a colon where wanted. What is indented goes on with
 * the line above; empty lines and what follows `#` are left out.
 *
 * @throws RulesError for the first that is none.
 */
export function parseRules(content: string, file: string): Rule[] {
  const rules: { text: string; line: number }[] = [];
  content
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .forEach((raw, index) => {
      const text = withoutComment(raw);
      const last = rules.at(-1);
      if (text.trim() === '') return;
      if (/^[ \t]/.test(text) && last) last.text += ` ${text.trim()}`;
      else rules.push({ text: text.trim(), line: index + 1 });
    });
  return rules.map(({ text, line }) => ruleOf(text, `${file}:${line}`));
}

/** Cuts off a comment; a # within quotes is none. */
function withoutComment(line: string): string {
  let quote = '';
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!;
    if (character === '\\' && quote !== '') at++;
    else if (quote === '' && character === '#') return line.slice(0, at);
    else if (quote === '' && (character === '"' || character === "'")) quote = character;
    else if (character === quote) quote = '';
  }
  return line;
}

const LEAD = /^(?:(warn|error)\s+)?(?:("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\s*:(?!:)\s*)?/;

function ruleOf(line: string, place: string): Rule {
  const [lead = '', severity = 'error', quoted] = LEAD.exec(line) ?? [];
  const text = line.slice(lead.length).trim();
  const name = quoted === undefined ? text : quoted.slice(1, -1).replace(/\\(.)/g, '$1');
  try {
    return { name, severity: severity as Rule['severity'], text, expression: parseExpression(text), place };
  } catch (error) {
    if (error instanceof ExpressionError) throw new InvalidRuleError(place, error);
    throw error;
  }
}
