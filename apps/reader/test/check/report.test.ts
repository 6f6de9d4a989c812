import { checkRun, createRunFromView, InvalidRuleError, parseAssertion, parseRules } from '@org/analysis';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { createDocument, createGauge, createMetric } from '../../../../packages/analysis/test/documents.ts';
import {
  buildCheckDocument,
  formatInvalidRule,
  markOffset,
  renderCheckScreen,
  renderGithubAnnotations,
  renderJunit,
} from '../../src/check/report.ts';
import { createScreen } from '../../src/screen.ts';

const run = createRunFromView(createDocument({ a: createMetric('gauge', [createGauge(4)]) }), 'run');

test('formats an invalid rule with file, line and caret', () => {
  let problem: unknown;
  try {
    parseRules('a.avg < 5\na.avg <> 5\n', 'gates.txt');
  } catch (error) {
    problem = error;
  }
  expect(problem).toBeInstanceOf(InvalidRuleError);
  expect(formatInvalidRule(problem as InvalidRuleError, 80)).toMatch(
    /^gates\.txt:2: expected .*">"\n {4}a\.avg <> 5\n {11}\^$/,
  );
});

const HOSTILE_TEXT = '\u001b[31m<x>&"]]>%0A::error::\n,';
const results = checkRun(run, [
  ...parseRules('"good": a.avg < 5\n"bad": a.avg < 3\nwarn "soft": a.avg < 3\nnope.avg < 1\n', 'a,b:c.txt'),
  { ...parseAssertion('a.avg < 3'), name: HOSTILE_TEXT },
]);

test('renders results for a terminal', () => {
  const text = renderCheckScreen(results, createScreen({ width: 80, color: false }));
  expect(text).toContain('✓ good\n    found 4, required < 5');
  expect(text).toContain('✗ bad\n    found 4, required < 3');
  expect(text).toContain('✗ soft (warning only)');
  expect(text).toContain('? nope.avg < 1\n    nope.avg < 1\n    ^\n    no metric nope');
  expect(text).toMatch(/5 rules: 1 passed, 3 failed, 1 undetermined$/);
  expect(text).not.toContain('\u001b');
  expect(renderCheckScreen(results, createScreen({ width: 80, color: true }))).toContain('\u001b[32m✓');
});

const LONG_METRIC = `vllm:${'a_very_long_name_of_a_metric_'.repeat(4)}total`;

test.each([160, 80, 40])('the screen fits %i columns, with long names of rules and metrics', width => {
  const long = checkRun(run, [
    ...parseRules(`"${'a rule with a long name '.repeat(8)}": a.avg < 3\n${LONG_METRIC}.avg < 1\n`, 'c.txt'),
  ]);
  const lines = renderCheckScreen(long, createScreen({ width, color: false })).split('\n');
  expect(lines.length).toBeGreaterThan(5);
  for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(width);
  const text = lines.join('').replace(/\s+/g, '');
  expect(text).toContain('arulewithalongname'.repeat(8));
});

test('renders JUnit XML', () => {
  const xml = renderJunit(results, `run${HOSTILE_TEXT}`);
  expect(xml).toContain('tests="5" failures="2" errors="1" skipped="1"');
  expect(xml).toContain('name="good" file="a,b:c.txt:1"/>');
  expect(xml).toContain('<failure message="found 4, required &lt; 3">');
  expect(xml).toContain('<error message="no metric nope">');
  expect(xml).not.toContain('\u001b');
  expect(xml).not.toContain('<x>');
  // Every opened tag is closed.
  const tags = [...xml.matchAll(/<(\/?)[a-z]+[^>]*?(\/?)>/g)].filter(
    ([, , selfClosing]) => selfClosing === '',
  );
  const closing = tags.filter(([, slash]) => slash === '/');
  expect(closing).toHaveLength(tags.length / 2);
});

test('renders one line per annotation for GitHub Actions', () => {
  const lines = renderGithubAnnotations(results).trimEnd().split('\n');
  expect(lines[0]).toBe(
    '::error file=a%2Cb%3Ac.txt,line=2,title=failed%3A bad::a.avg < 3: found 4, required < 3',
  );
  expect(lines[1]).toMatch(/^::warning file=a%2Cb%3Ac\.txt,line=3,/);
  expect(lines).toHaveLength(5);
  expect(lines[3]).toMatch(/^::error title=failed%3A .*%250A%3A%3Aerror/);
});

test('builds the JSON document', () => {
  expect(buildCheckDocument(results, 'run', undefined)).toMatchObject({
    run: 'run',
    baseline: null,
    exit_code: 1,
    rules: [
      { name: 'good', outcome: 'passed', severity: 'error' },
      {},
      {},
      { outcome: 'unknown', offset: 0 },
      {},
    ],
  });
});

test('renders a caret below the character at the offset', () => {
  expect(markOffset('a.avg << 5', 7, 80)).toBe('a.avg << 5\n       ^');
});

test('renders only the part of a long rule around the caret', () => {
  const [line, caretLine] = markOffset(`${'x'.repeat(200)}<`, 200, 60).split('\n');
  expect(line!.length).toBeLessThanOrEqual(60);
  expect(line![caretLine!.indexOf('^')]).toBe('<');
});
