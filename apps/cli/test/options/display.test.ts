import { expect, test } from 'vitest';
import { readDisplay } from '../../src/options/display.ts';
import { createIo } from '../support/io.ts';

const LARGE = { isTTY: true, columns: 80, rows: 24 };
const PIPE = { isTTY: false };

test.each([
  ['dashboard', 'on a terminal of 80x24', {}, LARGE, {}],
  ['dashboard', 'with --ui dashboard on a terminal', { ui: 'dashboard' }, LARGE, {}],
  ['line', 'on a terminal that is too narrow', {}, { ...LARGE, columns: 79 }, {}],
  ['line', 'on a terminal that is too low', {}, { ...LARGE, rows: 23 }, {}],
  ['line', 'on a terminal without a size', {}, { isTTY: true, columns: 0, rows: 0 }, {}],
  [
    'line',
    'with --ui dashboard on a terminal that is too small',
    { ui: 'dashboard' },
    { ...LARGE, rows: 9 },
    {},
  ],
  ['line', 'with TERM=dumb', {}, LARGE, { term: 'dumb' }],
  ['line', 'in the background of a terminal', {}, LARGE, { isForeground: () => false }],
  ['line', 'with --ui line', { ui: 'line' }, LARGE, {}],
  ['line', "with AIPerf's --ui simple", { ui: 'simple' }, LARGE, {}],
  ['line', 'with --ui web, which is shown in a browser', { ui: 'web' }, LARGE, {}],
  ['none', 'with --ui none', { ui: 'none' }, LARGE, {}],
  ['none', 'on a terminal with a command', {}, LARGE, { hasCommand: true }],
  ['line', 'with --ui dashboard and a command', { ui: 'dashboard' }, LARGE, { hasCommand: true }],
  ['none', 'without a terminal', {}, PIPE, {}],
  ['none', 'with --ui dashboard without a terminal', { ui: 'dashboard' }, PIPE, {}],
  ['none', 'with --ui line without a terminal', { ui: 'line' }, PIPE, {}],
  ['line', 'with --live without a terminal', { live: true }, PIPE, { hasCommand: true }],
  ['none', 'with --live=false', { live: false }, LARGE, {}],
  ['none', 'with --quiet', { quiet: true }, LARGE, {}],
] as const)(
  'chooses the display %s %s',
  (display, _, raw, screen, { term = 'xterm', ...conditions }: Conditions) => {
    const io = createIo('.', { TERM: term });
    const stderr = Object.assign(io.stderr, screen);
    const options = readDisplay(raw, { stderr, env: io.env }, { isForeground: () => true, ...conditions });
    expect(options).toEqual({ quiet: 'quiet' in raw, display });
  },
);

interface Conditions {
  readonly term?: string;
  readonly hasCommand?: boolean;
  readonly isForeground?: () => boolean;
}
