import { type InvalidRuleError, type Outcome, type RuleResult, toExitCode } from '@org/analysis';
import { formatCount } from '@org/core';
import { toPrintable, wrapText } from '@org/terminal';
import type { Screen } from '../screen.ts';

const WORDS: Readonly<Record<Outcome, string>> = {
  passed: 'passed',
  failed: 'failed',
  unknown: 'cannot be told',
};

/** For people: a line for each rule, with its figures; those that cannot be told with a mark below the character. */
export function renderCheckScreen(all: readonly RuleResult[], { paint, width }: Screen): string {
  const marks = { passed: paint.green('✓'), failed: paint.red('✗'), unknown: paint.yellow('?') };
  const lines = all.flatMap(({ rule, outcome, told, at }) => {
    const warns = rule.severity === 'warn' && outcome !== 'passed' ? paint.dim(' (warns only)') : '';
    const [first, ...more] = wrapText(rule.name, width - 4);
    return [
      `${marks[outcome]} ${[first, ...more.map(line => `    ${line}`)].join('\n')}${warns}`,
      ...(at === undefined ? [] : markLines(rule.text, at, width).map(line => paint.dim(line))),
      ...wrapText(told, width - 4).map(line => paint.dim(`    ${line}`)),
    ];
  });
  return [...lines, '', summarizeOutcomes(all)].join('\n');
}

/** `3 passed, 1 failed, 1 cannot be told` */
export function summarizeOutcomes(all: readonly RuleResult[]): string {
  const parts = (['passed', 'failed', 'unknown'] as const).flatMap(outcome => {
    const count = all.filter(one => one.outcome === outcome).length;
    return count === 0 ? [] : [`${count} ${WORDS[outcome]}`];
  });
  return `${formatCount(all.length, 'rule')}: ${parts.join(', ')}`;
}

function markLines(text: string, at: number, width: number): string[] {
  return markOffset(toPrintable(text), at, width - 4)
    .split('\n')
    .map(line => `    ${line}`);
}

/** A rule that cannot be read: what is wrong, and a mark below the character. */
export function formatInvalidRule({ place, rule }: InvalidRuleError, width: number): string {
  return [
    `${toPrintable(place)}: ${toPrintable(rule.message)}`,
    ...markLines(rule.expression, rule.offset, width),
  ].join('\n');
}

/** For programs. */
export function buildCheckDocument(
  all: readonly RuleResult[],
  run: string,
  baseline: string | undefined,
): object {
  return {
    run,
    baseline: baseline ?? null,
    exit_code: toExitCode(all),
    rules: all.map(({ rule, outcome, told, at }) => ({
      name: rule.name,
      expression: rule.text,
      severity: rule.severity,
      place: rule.place,
      outcome,
      told,
      ...(at !== undefined && { at }),
    })),
  };
}

/** JUnit's XML, as CI systems read it: a rule that cannot be told is an error, one that only warns is skipped. */
export function renderJunit(all: readonly RuleResult[], run: string): string {
  const decisive = all.filter(({ rule }) => rule.severity === 'error');
  const count = (outcome: Outcome): number => decisive.filter(one => one.outcome === outcome).length;
  const skipped = all.filter(({ rule, outcome }) => rule.severity === 'warn' && outcome !== 'passed').length;
  const totals = `tests="${all.length}" failures="${count('failed')}" errors="${count('unknown')}" skipped="${skipped}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${totals}>`,
    `  <testsuite name="${xml(run)}" ${totals}>`,
    ...all.map(testcase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function testcase({ rule, outcome, told }: RuleResult): string {
  const open = `    <testcase classname="servelens check" name="${xml(rule.name)}" file="${xml(rule.place)}"`;
  if (outcome === 'passed') return `${open}/>`;
  const element = rule.severity === 'warn' ? 'skipped' : outcome === 'failed' ? 'failure' : 'error';
  return `${open}><${element} message="${xml(told)}">${xml(`${rule.text}\n${told}`)}</${element}></testcase>`;
}

function xml(text: string): string {
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

/** Workflow commands of GitHub Actions: annotations, in the rules' file where there is one. */
export function renderGithubAnnotations(all: readonly RuleResult[]): string {
  const lines = all.flatMap(({ rule, outcome, told }) => {
    if (outcome === 'passed') return [];
    const command = rule.severity === 'warn' ? 'warning' : 'error';
    const [, file, line] = /^(.*):(\d+)$/.exec(rule.place) ?? [];
    const where = file === undefined ? '' : `file=${property(file)},line=${line},`;
    const message = `${rule.text}: ${outcome === 'failed' ? told : `cannot be told: ${told}`}`;
    return [`::${command} ${where}title=${property(`${WORDS[outcome]}: ${rule.name}`)}::${data(message)}`];
  });
  return [...lines, summarizeOutcomes(all), ''].join('\n');
}

function data(text: string): string {
  return toPrintable(text).replaceAll('%', '%25');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** Draws a rule with a mark below one of its characters; of a long rule, only the part around the mark. */
export function markOffset(expression: string, offset: number, width: number): string {
  const room = Math.max(20, width);
  const from = offset < room - 10 ? 0 : offset - Math.floor(room / 2);
  const line = [...expression.slice(from, from + room)].map(blank).join('');
  return `${line}\n${' '.repeat([...expression.slice(from, offset)].length)}^`;
}

/** Replaces white space with blanks, so that each character takes one column. */
function blank(character: string): string {
  return /\s/.test(character) ? ' ' : character;
}
