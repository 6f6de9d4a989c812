import type { DescribedMetric } from '@org/servers/metrics';
import { toPrintable } from '@org/terminal';
import { countColumns, padEnd, padStart, wrapText } from '@org/terminal/layout';
import colors from 'picocolors';
import type { ScreenStyle } from '../screens/screenText.ts';
import { formatRole, type RoleDocument, type ServerDocument } from './serverDocument.ts';

/** The largest width of lines of text: longer lines are hard to read. */
const MAX_TEXT_COLUMNS = 100;

/** Renders the known servers, one per line. */
export function renderServerList(servers: readonly ServerDocument[], { color }: ScreenStyle): string {
  const paint = colors.createColors(color);
  const rows = [
    ['server', 'kind', 'metrics', 'recognized by'],
    ...servers.map(({ name, kind, metrics, prefixes, names }) => [
      name,
      kind,
      String(metrics.length),
      formatNames([...prefixes, ...names]),
    ]),
  ].map(cells => cells.map(toPrintable));
  const widths = [0, 1, 2].map(column => findWidth(rows.map(row => row[column]!)));
  return rows
    .map(([name, kind, count, names], index) => {
      const cells = [
        padEnd(name!, widths[0]!),
        padEnd(kind!, widths[1]!),
        padStart(count!, widths[2]!),
        names!,
      ];
      return index === 0 ? paint.dim(cells.join('  ')) : cells.join('  ');
    })
    .join('\n');
}

/** The maximum width of the names that the list shows of each server, in columns. At least one is shown. */
const MAX_NAMES_COLUMNS = 30;

function formatNames(names: readonly string[]): string {
  const fitting = names.filter(
    (_, index) => names.slice(0, index + 1).join(', ').length <= MAX_NAMES_COLUMNS,
  );
  const shown = names.slice(0, Math.max(1, fitting.length));
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : '';
  return `${shown.join(', ')}${more}`;
}

/** Renders a server: how it is recognized, its roles and its metrics. */
export function renderServer(server: ServerDocument, style: ScreenStyle): string {
  const paint = colors.createColors(style.color);
  const { name, kind, docs, roles, metrics } = server;
  return [
    `${paint.bold(toPrintable(name))}, ${KINDS[kind]}`,
    ...wrapText(describeNames(server), getTextWidth(style), '  '),
    ...wrapText(describeVersionSource(server), getTextWidth(style), '  '),
    ...(docs === undefined ? [] : [`  ${toPrintable(docs)}`]),
    '',
    paint.bold('Roles'),
    ...renderRoles(roles, style),
    '',
    paint.bold('Metrics'),
    ...metrics.flatMap(metric => [
      ...renderHead(`  ${toPrintable(metric.name)}`, describeType(metric), style),
      ...wrapText(metric.meaning, getTextWidth(style), '      '),
    ]),
  ].join('\n');
}

/** What servers of each kind do. */
const KINDS: Readonly<Record<ServerDocument['kind'], string>> = {
  gateway: 'a gateway in front of other servers',
  frontend: 'a frontend of engines',
  engine: 'an engine',
  cache: 'a cache of KV cache',
  device: 'a device',
};

/** Describes how a server is recognized. */
function describeNames({ prefixes, names, labels }: ServerDocument): string {
  const parts = [
    ...(prefixes.length > 0 ? [`metrics that start with ${prefixes.join(', ')}`] : []),
    ...(names.length > 0 ? [`the metrics ${names.join(', ')}`] : []),
  ];
  const condition = labels.length > 0 ? `, if they have a label ${labels.join(' or ')}` : '';
  return `recognized by ${parts.join(', and by ')}${condition}`;
}

/** Describes where a server states its version. */
function describeVersionSource({ build_info: infos }: ServerDocument): string {
  if (infos === null) return 'version: unknown; the definition does not say where the server states it';
  if (infos.length === 0) return 'version: unknown; the known pages of the server do not have it';
  return `version: ${infos.map(({ metric, version }) => `label ${version} of ${metric}`).join(', else ')}`;
}

/** Renders the name and the type of a metric in one line if they fit, otherwise in two. */
function renderHead(name: string, type: string, style: ScreenStyle): string[] {
  const { dim } = colors.createColors(style.color);
  const fits = countColumns(`${name}  ${type}`) <= style.width;
  return fits ? [`${name}  ${dim(type)}`] : [name, `      ${dim(type)}`];
}

function renderRoles(roles: readonly RoleDocument[], style: ScreenStyle): string[] {
  const width = findWidth(roles.map(({ role }) => role));
  return roles.flatMap(({ role, metrics, adds_metrics: isSum }) => {
    const lines = wrapText(metrics.join(isSum ? ' + ' : ', else '), getTextWidth(style) - width - 4);
    return lines.map((line, index) => `  ${padEnd(index === 0 ? role : '', width)}  ${line}`);
  });
}

/** Renders the description of a metric. */
export function renderMetric(metric: DescribedMetric, style: ScreenStyle): string {
  const paint = colors.createColors(style.color);
  const { name, server, meaning, watch, roles } = metric;
  const entries: readonly (readonly [string, string | undefined])[] = [
    ['watch', watch],
    ['do', metric.do],
    ['role', roles.length > 0 ? roles.map(formatRole).join(', ') : undefined],
    ['versions', describeVersions(metric)],
    ['newer', metric.replaced_by],
  ];
  const width = findWidth(entries.map(([title]) => title));
  return [
    ...renderHead(paint.bold(toPrintable(name)), `${toPrintable(server)}, ${describeType(metric)}`, style),
    '',
    ...wrapText(meaning, getTextWidth(style), '  '),
    ...(entries.some(([, text]) => text !== undefined) ? [''] : []),
    ...entries.flatMap(([title, text]) =>
      text === undefined
        ? []
        : wrapText(text, getTextWidth(style) - width - 4).map(
            (line, index) => `  ${paint.dim(padEnd(index === 0 ? title : '', width))}  ${line}`,
          ),
    ),
  ].join('\n');
}

/** Describes the versions of a server that have a metric, such as `from 0.11 to 0.28`. */
function describeVersions({ since, until, versions }: DescribedMetric): string | undefined {
  const range =
    since === undefined
      ? until && `up to ${until}`
      : until === undefined
        ? `since ${since}`
        : `from ${since} to ${until}`;
  return range && versions ? `${range}; ${versions}` : (range ?? versions);
}

/** Describes the values of a metric, such as `counter, requests, lower is better`. */
function describeType({ type, unit, better = 'neither' }: DescribedMetric): string {
  const values = unit === undefined ? type : `${type}, ${toPrintable(unit)}`;
  return better === 'neither' ? values : `${values}, ${better} is better`;
}

function getTextWidth({ width }: ScreenStyle): number {
  return Math.min(width, MAX_TEXT_COLUMNS);
}

function findWidth(texts: readonly string[]): number {
  return texts.reduce((widest, text) => Math.max(widest, countColumns(text)), 0);
}
