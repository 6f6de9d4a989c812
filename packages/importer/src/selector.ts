import { RunInputError } from '@org/record';

/** A condition on a label. */
export interface Matcher {
  readonly operator: '=' | '!=' | '=~' | '!~';
  readonly name: string;
  readonly value: string;
}

/** A selector of series, such as `{job="vllm"}` or `up{job=~"vllm.*"}`. */
export interface Selector {
  readonly text: string;
  readonly matchers: readonly Matcher[];
}

const NAME = /[a-zA-Z_:][a-zA-Z0-9_:]*/y;
const MATCHER =
  /\s*([a-zA-Z_][a-zA-Z0-9_]*)\s*(=~|!~|!=|=)\s*("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`)\s*(,|(?=\}))/y;

const EXPECTED = `expected a metric name, labels in braces, or both, such as {job="vllm"} or up{job=~"vllm.*"}`;

/** Parses a series selector of PromQL. Throws `RunInputError` if it is invalid, or another expression. */
export function parseSelector(text: string): Selector {
  const trimmed = text.trim();
  const name = match(NAME, trimmed, 0)?.[0] ?? '';
  const matchers: Matcher[] = name === '' ? [] : [{ operator: '=', name: '__name__', value: name }];
  const rest = trimmed.slice(name.length).trim();
  if (rest !== '') matchers.push(...parseBraces(rest, text));
  if (!matchers.some(isSelective))
    throw createSelectorError(text, 'at least one label must be required to have a value that is not empty');
  return { text: trimmed, matchers };
}

function parseBraces(text: string, whole: string): Matcher[] {
  if (!text.startsWith('{') || !text.endsWith('}')) throw createSelectorError(whole, EXPECTED);
  const matchers: Matcher[] = [];
  let at = 1;
  while (text.slice(at).trim() !== '}') {
    const found = match(MATCHER, text, at);
    if (!found) throw createSelectorError(whole, EXPECTED);
    const [all, name, operator, quoted] = found;
    matchers.push({ name: name!, operator: operator as Matcher['operator'], value: unquote(quoted!) });
    at += all.length;
  }
  return matchers;
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

function unquote(quoted: string): string {
  const content = quoted.slice(1, -1);
  if (quoted.startsWith('`')) return content;
  return content.replaceAll(/\\(.)/g, (_, character: string) => ESCAPES[character] ?? character);
}

/** Reports whether a matcher excludes series without the label. Prometheus requires at least one. */
function isSelective({ operator, value }: Matcher): boolean {
  if (operator === '=') return value !== '';
  if (operator === '!=') return value === '';
  if (operator === '!~') return false;
  try {
    return !new RegExp(`^(?:${value})$`).test('');
  } catch {
    return true;
  }
}

function createSelectorError(text: string, problem: string): RunInputError {
  return new RunInputError(`invalid --match ${JSON.stringify(text)}: ${problem}`);
}
