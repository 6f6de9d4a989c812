import type { Run, RunEndpoint } from '@org/analysis';
import { formatCount } from '@org/core';
import { toPrintable } from '@org/terminal';
import { wrapText } from '@org/terminal/layout';
import stringWidth from 'string-width';
import { describeImport } from '../importSource.ts';
import type { Screen } from '../screen.ts';
import { describeContents, describeEndpoint, describePeriod } from './summaryText.ts';

/** The maximum number of endpoints to list. If there are more, endpoints without problems are only counted. */
const MAX_ENDPOINTS = 4;

/** Renders the name, period, command, endpoints and notes of a run. */
export function renderHeader(run: Run, screen: Screen): string[] {
  const { paint, width } = screen;
  const title = run.name === '' ? 'Server metrics' : run.name;
  return [
    ...appendParts(title, [...describePeriod(run), describeContents(run)], width, paint.bold),
    ...[...describeCommand(run), ...describeSource(run)].flatMap(text =>
      wrapText(text, width).map(line => paint.dim(line)),
    ),
    ...renderEndpoints(run.endpoints, screen),
    ...run.notes.flatMap(note => wrapText(note, width)).map(line => paint.dim(line)),
  ];
}

/** Returns the command line, or the model, URL and load if the export does not contain the command line. */
function describeCommand({ inputConfig, profile, name }: Run): string[] {
  if (name === '') return [];
  const command = inputConfig.cli_command ?? profile?.run_info?.cli_command;
  if (typeof command === 'string') return [toPrintable(command)];
  const words = ['model', 'model_names', 'url', 'loadgen'].flatMap(key => flattenValues(inputConfig[key]));
  return words.length > 0 ? [toPrintable(words.join(', '))] : [];
}

/** Returns the source of an imported run and what it cannot provide. The command that imports a run logs them itself. */
function describeSource(run: Run): string[] {
  const imported = run.name === '' ? undefined : describeImport(run);
  return imported
    ? [`imported from ${imported.source}`, ...imported.limitations].map(text => toPrintable(text))
    : [];
}

/** Lists the scalars of a configuration value, each preceded by its keys. */
function flattenValues(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(flattenValues);
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, item]) => flattenValues(item).map(text => `${key} ${text}`));
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
}

/** Formats the URL of an endpoint, after the role of its server if it is known. */
export function formatEndpoint({ name, address, url }: RunEndpoint): string {
  return name === address ? url : `${name}: ${url}`;
}

function renderEndpoints(endpoints: readonly RunEndpoint[], { paint, width }: Screen): string[] {
  const marks = {
    ok: paint.green('✓'),
    impaired: paint.yellow('!'),
    without_data: paint.red('✗'),
    no_metrics: paint.dim('·'),
  };
  const showsAll = endpoints.length <= MAX_ENDPOINTS;
  const listed = showsAll
    ? endpoints
    : endpoints.filter(({ state }) => state !== 'ok').slice(0, MAX_ENDPOINTS);
  const lines = listed.flatMap(endpoint => {
    // The mark takes two columns, including a space.
    const text = appendParts(
      formatEndpoint(endpoint),
      describeEndpoint(endpoint),
      width - 2,
      keep,
      paint.dim,
    );
    return text.map((line, i) => `${i === 0 ? `${marks[endpoint.state]} ` : '  '}${line}`);
  });
  return showsAll ? lines : [...lines, ...summarizeUnlisted(endpoints, listed, marks.ok)];
}

function summarizeUnlisted(
  endpoints: readonly RunEndpoint[],
  listed: readonly RunEndpoint[],
  mark: string,
): string[] {
  const okCount = endpoints.filter(({ state }) => state === 'ok').length;
  const problemCount = endpoints.length - okCount - listed.length;
  return [
    ...(problemCount > 0
      ? [`${formatCount(problemCount, 'more endpoint')} had problems; --json lists all`]
      : []),
    ...(okCount > 0 ? [`${mark} ${okCount} of ${endpoints.length} endpoints without problems`] : []),
  ];
}

type Paint = (text: string) => string;

const keep: Paint = text => text;

/** Appends parts to a title: on the same line, or on indented lines below if they do not fit. */
function appendParts(
  title: string,
  parts: readonly string[],
  width: number,
  paintTitle: Paint,
  paintParts: Paint = keep,
): string[] {
  const titles = wrapText(title, width);
  const text = toPrintable(parts.join(', '));
  const last = titles.at(-1)!;
  if (text === '') return titles.map(paintTitle);
  if (stringWidth(last) + 2 + stringWidth(text) <= width)
    return [...titles.slice(0, -1).map(paintTitle), `${paintTitle(last)}  ${paintParts(text)}`];
  return [...titles.map(paintTitle), ...wrapText(text, width, '  ').map(paintParts)];
}
