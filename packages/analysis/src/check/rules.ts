import type { Expression } from './expression.ts';
import { ExpressionError } from './expression.ts';
import { parseExpression } from './parseExpression.ts';

/** A named expression that is true for an acceptable run. */
export interface Rule {
  /** The name in the rule file, or the text of the expression if it has no name. */
  readonly name: string;
  /** Failures of a `warn` rule are reported, but do not change the exit code. */
  readonly severity: 'error' | 'warn';
  /** The text of the expression, without severity and name. */
  readonly text: string;
  readonly expression: Expression;
  /** The source of the rule: a file and line such as `gates.txt:3`, or `--assert`. */
  readonly location: string;
}

/** Error thrown for an invalid rule, with its location and the problem. */
export class InvalidRuleError extends Error {
  override readonly name: string = 'InvalidRuleError';
  readonly location: string;
  readonly problem: ExpressionError;

  constructor(location: string, problem: ExpressionError) {
    super(`${location}: ${problem.message}`, { cause: problem });
    this.location = location;
    this.problem = problem;
  }
}

/**
 * Parses the value of `--assert`.
 *
 * @throws InvalidRuleError if the rule is invalid
 */
export function parseAssertion(text: string): Rule {
  return parseRule(text, '--assert');
}

/**
 * Parses a rule file. Each line contains one rule, optionally preceded by `warn` or `error`, and by a quoted name
 * and a colon. An indented line continues the previous line. Empty lines and text after `#` are ignored.
 *
 * @throws InvalidRuleError for the first invalid rule
 */
export function parseRules(content: string, file: string): Rule[] {
  const lines: { text: string; line: number }[] = [];
  content
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .forEach((raw, index) => {
      const text = removeComment(raw);
      const previous = lines.at(-1);
      if (text.trim() === '') return;
      if (/^[ \t]/.test(text) && previous) previous.text += ` ${text.trim()}`;
      else lines.push({ text: text.trim(), line: index + 1 });
    });
  return lines.map(({ text, line }) => parseRule(text, `${file}:${line}`));
}

/** Removes a comment; a # within quotes does not start one. */
function removeComment(line: string): string {
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

/** The optional severity and name before an expression. */
const PREFIX = /^(?:(warn|error)\s+)?(?:("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\s*:(?!:)\s*)?/;

/**
 * Parses one rule. `location` names its source in messages.
 *
 * @throws InvalidRuleError if the rule is invalid
 */
export function parseRule(line: string, location: string): Rule {
  const [prefix = '', severity = 'error', quoted] = PREFIX.exec(line) ?? [];
  const text = line.slice(prefix.length).trim();
  const name = quoted === undefined ? text : quoted.slice(1, -1).replace(/\\(.)/g, '$1');
  try {
    return {
      name,
      severity: severity as Rule['severity'],
      text,
      expression: parseExpression(text),
      location,
    };
  } catch (error) {
    if (error instanceof ExpressionError) throw new InvalidRuleError(location, error);
    throw error;
  }
}
