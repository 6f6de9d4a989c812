import { type InvalidRuleError, type Outcome, type RuleResult, toExitCode } from '@org/analysis';
import { formatCount } from '@org/core';
import { toPrintable } from '@org/terminal';
import { wrapMarked, wrapText } from '@org/terminal/layout';
import type { Screen } from '../screen.ts';

const OUTCOME_LABELS: Readonly<Record<Outcome, string>> = {
  passed: 'passed',
  failed: 'failed',
  unknown: 'undetermined',
};

/**
 * Renders the result of each rule for a terminal, failed rules first. If a rule cannot be evaluated, a `^` marks the character that causes
 * the problem.
 */
export function renderCheckScreen(results: readonly RuleResult[], { paint, width }: Screen): string {
  const symbols = { passed: paint.green('✓'), failed: paint.red('✗'), unknown: paint.yellow('?') };
  const lines = sortByOutcome(results).flatMap(({ rule, outcome, detail, offset }) => {
    const note = rule.severity === 'warn' && outcome !== 'passed' ? ' (warning only)' : '';
    return [
      ...wrapMarked(symbols[outcome], `${rule.name}${note}`, width),
      ...(offset === undefined
        ? []
        : renderMarkedRule(rule.text, offset, width).map(line => paint.dim(line))),
      ...wrapText(detail, width, '    ').map(line => paint.dim(line)),
    ];
  });
  return [...lines, '', summarizeOutcomes(results)].join('\n');
}

/** Sorts results so that failed rules are first, then rules that cannot be evaluated. */
function sortByOutcome(results: readonly RuleResult[]): RuleResult[] {
  const order: readonly Outcome[] = ['failed', 'unknown', 'passed'];
  return order.flatMap(outcome => results.filter(result => result.outcome === outcome));
}

/** Counts the rules per outcome, such as `5 rules: 3 passed, 1 failed, 1 undetermined`. */
function summarizeOutcomes(results: readonly RuleResult[]): string {
  const parts = (['passed', 'failed', 'unknown'] as const).flatMap(outcome => {
    const count = results.filter(result => result.outcome === outcome).length;
    return count === 0 ? [] : [`${count} ${OUTCOME_LABELS[outcome]}`];
  });
  return `${formatCount(results.length, 'rule')}: ${parts.join(', ')}`;
}

function renderMarkedRule(text: string, offset: number, width: number): string[] {
  return markOffset(toPrintable(text), offset, width - 4)
    .split('\n')
    .map(line => `    ${line}`);
}

/** Formats the problem of an invalid rule, and the rule with a `^` below the character that causes the problem. */
export function formatInvalidRule({ location, problem }: InvalidRuleError, width: number): string {
  return [
    `${toPrintable(location)}: ${toPrintable(problem.message)}`,
    ...renderMarkedRule(problem.expression, problem.offset, width),
  ].join('\n');
}

/** Builds the output of `check --json`. */
export function buildCheckDocument(
  results: readonly RuleResult[],
  run: string,
  baseline: string | undefined,
): object {
  return {
    run,
    baseline: baseline ?? null,
    exit_code: toExitCode(results),
    rules: results.map(({ rule, outcome, detail, offset }) => ({
      name: rule.name,
      expression: rule.text,
      severity: rule.severity,
      location: rule.location,
      outcome,
      detail,
      ...(offset !== undefined && { offset }),
    })),
  };
}

/**
 * Renders results as JUnit XML. A rule that cannot be evaluated is an error. A rule with severity `warn` that does not
 * pass is skipped.
 */
export function renderJunit(results: readonly RuleResult[], run: string): string {
  const required = results.filter(({ rule }) => rule.severity === 'error');
  const count = (outcome: Outcome): number => required.filter(result => result.outcome === outcome).length;
  const skipped = results.filter(
    ({ rule, outcome }) => rule.severity === 'warn' && outcome !== 'passed',
  ).length;
  const totals = `tests="${results.length}" failures="${count('failed')}" errors="${count('unknown')}" skipped="${skipped}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${totals}>`,
    `  <testsuite name="${escapeXml(run)}" ${totals}>`,
    ...results.map(renderTestCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function renderTestCase({ rule, outcome, detail }: RuleResult): string {
  const start = `    <testcase classname="servelens check" name="${escapeXml(rule.name)}" file="${escapeXml(rule.location)}"`;
  if (outcome === 'passed') return `${start}/>`;
  const element = rule.severity === 'warn' ? 'skipped' : outcome === 'failed' ? 'failure' : 'error';
  return `${start}><${element} message="${escapeXml(detail)}">${escapeXml(`${rule.text}\n${detail}`)}</${element}></testcase>`;
}

function escapeXml(text: string): string {
  // toPrintable() does not preserve line breaks. They are first replaced with U+0001, which it converts to U+2401.
  return toPrintable(text.replaceAll('\n', '\u0001'))
    .replaceAll('\u2401', '&#10;')
    .replace(/&(?!#10;)/g, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replace(
      /[\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      '\ufffd',
    );
}

/** Renders results as GitHub Actions annotations. Rules from a file are annotated at their lines. */
export function renderGithubAnnotations(results: readonly RuleResult[]): string {
  const lines = results.flatMap(({ rule, outcome, detail }) => {
    if (outcome === 'passed') return [];
    const command = rule.severity === 'warn' ? 'warning' : 'error';
    const [, file, line] = /^(.*):(\d+)$/.exec(rule.location) ?? [];
    const position = file === undefined ? '' : `file=${escapeProperty(file)},line=${line},`;
    const message = `${rule.text}: ${outcome === 'failed' ? detail : `cannot be evaluated: ${detail}`}`;
    return [
      `::${command} ${position}title=${escapeProperty(`${OUTCOME_LABELS[outcome]}: ${rule.name}`)}::${escapeData(message)}`,
    ];
  });
  return [...lines, summarizeOutcomes(results), ''].join('\n');
}

function escapeData(text: string): string {
  return toPrintable(text).replaceAll('%', '%25');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/**
 * Renders an expression with a `^` below the character at `offset`. A long expression is shortened to the part
 * around `offset`.
 */
export function markOffset(expression: string, offset: number, width: number): string {
  const length = Math.max(20, width);
  const start = offset < length - 10 ? 0 : offset - Math.floor(length / 2);
  const line = [...expression.slice(start, start + length)].map(replaceSpace).join('');
  return `${line}\n${' '.repeat([...expression.slice(start, offset)].length)}^`;
}

/** Replaces a whitespace character with a space, so that each character takes one column. */
function replaceSpace(character: string): string {
  return /\s/.test(character) ? ' ' : character;
}
