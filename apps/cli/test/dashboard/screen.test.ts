import type { LiveState } from '@org/live';
import { countColumns } from '@org/terminal/layout';
import colors from 'picocolors';
import { describe, expect, test } from 'vitest';
import { renderFinalScreen, renderScreen } from '../../src/dashboard/screen.ts';
import { changeView, FIRST_VIEW, type View } from '../../src/dashboard/view.ts';
import { ACTIVE, DEAD_SERVER, MANY_ENDPOINTS, MESSAGES } from './states.ts';

const SIZES = [
  [80, 24],
  [100, 30],
  [160, 48],
] as const;

const STATES: readonly (readonly [name: string, state: LiveState, keys: string])[] = [
  ['active', ACTIVE, ''],
  ['whole phase', ACTIVE, 'pw'],
  ['dead server', DEAD_SERVER, ''],
  ['servers', MANY_ENDPOINTS, 's'],
  ['log', ACTIVE, 'l'],
];

const TITLE = 'Qwen/Qwen3-8B';

function press(keys: string): View {
  return [...keys].reduce(changeView, FIRST_VIEW);
}

function render(state: LiveState, keys: string, [columns, rows]: readonly [number, number], color = false) {
  const canvas = { columns: columns - 1, rows, paint: colors.createColors(color) };
  return renderScreen({ state, messages: MESSAGES, title: TITLE }, press(keys), canvas, true);
}

describe.each(SIZES)('at %ix%i', (columns, rows) => {
  test.each(STATES)('renders the screen: %s', async (name, state, keys) => {
    const lines = render(state, keys, [columns, rows]);
    const text = `${lines.map(line => line.trimEnd()).join('\n')}\n`;
    await expect(text).toMatchFileSnapshot(`screens/${name.replaceAll(' ', '-')}-${columns}x${rows}.txt`);
  });
});

test('every screen has as many lines as the terminal, none of them wider', () => {
  for (let columns = 20; columns <= 200; columns += 9)
    for (let rows = 5; rows <= 60; rows += 5)
      for (const [, state, keys] of STATES) {
        const lines = render(state, keys, [columns, rows], true);
        expect(lines.length).toBeLessThanOrEqual(rows);
        if (columns >= 80 && rows >= 24) expect(lines).toHaveLength(rows);
        expect(Math.max(...lines.map(countColumns))).toBeLessThan(columns);
      }
});

test('control characters of a server do not reach the terminal', () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
  expect(render(ACTIVE, '', [100, 30]).join('')).not.toMatch(/[\u0000-\u001f]/);
});

test('colors change no text', () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
  const plain = render(ACTIVE, '', [100, 30], true).map(line => line.replace(/\u001b\[\d+m/g, ''));
  expect(plain).toEqual(render(ACTIVE, '', [100, 30]));
});

test('the final screen has no keys and no empty lines', () => {
  const canvas = { columns: 79, rows: 24, paint: colors.createColors(false) };
  const lines = renderFinalScreen({ state: ACTIVE, messages: MESSAGES, title: TITLE }, FIRST_VIEW, canvas);
  expect(lines.every(line => line !== '' && !line.includes('quit'))).toBe(true);
  expect(lines.join('\n')).toContain('94.4% meet the SLO');
});

test('keys choose the percentile, the requests, the servers and the log', () => {
  expect(['p', 'pp', 'ppp'].map(keys => press(keys).tail)).toEqual(['p95', 'p90', 'p99']);
  expect(['w', 'ww'].map(keys => press(keys).span)).toEqual(['total', 'recent']);
  expect(['s', 'ss', 'l', 'll', 'sl'].map(keys => press(keys).panel)).toEqual([
    'servers',
    'overview',
    'log',
    'overview',
    'log',
  ]);
  expect(press('x')).toBe(FIRST_VIEW);
});
