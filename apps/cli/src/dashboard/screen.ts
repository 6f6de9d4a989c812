import type { LiveState } from '@org/live';
import { padEnd, truncateEnd } from '@org/terminal/layout';
import { MIN_DASHBOARD } from '../options/display.ts';
import type { Canvas } from './canvas.ts';
import { renderEndpoints } from './endpointTable.ts';
import { renderHeader } from './header.ts';
import { type Message, renderMessages } from './messages.ts';
import { renderClient, renderServer, renderServerLoad, renderServerRequests } from './panels.ts';
import { describeKeys, type View } from './view.ts';

/** The minimum width for the client and the server side by side. */
const WIDE_COLUMNS = 119;
/** Columns between both halves. */
const GAP_COLUMNS = 2;
/** Number of events below the panels. */
const EVENTS = 3;

/** The content of a screen. */
export interface ScreenContent {
  readonly state: LiveState;
  readonly messages: readonly Message[];
  /** The name of the run. */
  readonly title: string;
}

/** Renders the screen of an active run: exactly `rows` lines. */
export function renderScreen(content: ScreenContent, view: View, canvas: Canvas, hasKeys: boolean): string[] {
  const { state, messages, title } = content;
  if (canvas.columns < MIN_DASHBOARD.columns - 1 || canvas.rows < MIN_DASHBOARD.rows)
    return renderSmallScreen(content, canvas);
  const header = renderHeader(state, title, canvas);
  const footer = hasKeys ? [canvas.paint.dim(truncateEnd(describeKeys(view), canvas.columns))] : [];
  const events = view.panel === 'log' ? [] : renderMessages(messages, EVENTS, canvas);
  const reserved = view.panel === 'log' ? 0 : EVENTS;
  const height = canvas.rows - header.length - reserved - footer.length;
  const body = renderBody(content, view, canvas, height).slice(0, height);
  const top = [...header, ...body, ...fill(height - body.length), ...events];
  return [...top, ...fill(canvas.rows - top.length - footer.length), ...footer];
}

/** Renders the progress on a terminal that became too small during the run. */
function renderSmallScreen({ state, title }: ScreenContent, canvas: Canvas): string[] {
  const { columns, rows } = MIN_DASHBOARD;
  const hint = truncateEnd(`enlarge the terminal to ${columns}x${rows} for the dashboard`, canvas.columns);
  return [...renderHeader(state, title, canvas), hint].slice(0, canvas.rows);
}

/** Renders the overview without empty lines and keys, to stay on the terminal after the run. */
export function renderFinalScreen({ state, title }: ScreenContent, view: View, canvas: Canvas): string[] {
  const span = canvas.paint.dim('percentiles of the whole phase');
  return [...renderHeader(state, title, canvas), ...renderPanels(state, view, canvas), span];
}

function renderBody(
  { state, messages }: ScreenContent,
  view: View,
  canvas: Canvas,
  height: number,
): readonly string[] {
  if (view.panel === 'log') return renderMessages(messages, height, canvas);
  if (view.panel === 'servers') return renderEndpoints(state.endpoints, height, canvas);
  const panels = renderPanels(state, view, canvas);
  return [...panels, '', ...renderEndpoints(state.endpoints, height - panels.length - 1, canvas)];
}

/** Renders the client and the server side by side, or one above the other on a narrow terminal. */
function renderPanels(state: LiveState, view: View, canvas: Canvas): string[] {
  const { client } = state;
  const isWide = canvas.columns >= WIDE_COLUMNS;
  const columns = isWide ? Math.floor((canvas.columns - GAP_COLUMNS) / 2) : canvas.columns;
  const first = client
    ? renderClient(client, view, columns, canvas)
    : renderServerRequests(state, view, columns, canvas);
  const second = client
    ? renderServer(state, view, columns, canvas)
    : renderServerLoad(state, view, columns, canvas);
  return isWide ? joinHalves(first, second, columns) : [...first, ...second];
}

function joinHalves(left: readonly string[], right: readonly string[], columns: number): string[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, row) =>
    `${padEnd(left[row] ?? '', columns + GAP_COLUMNS)}${right[row] ?? ''}`.trimEnd(),
  );
}

function fill(count: number): string[] {
  return Array.from({ length: Math.max(0, count) }, () => '');
}
