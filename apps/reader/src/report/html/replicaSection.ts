import { formatNumber } from '@org/core';
import { writeParagraph, writeSection } from '../../html/section.ts';
import { escapeText, writeElement } from '../../svg/markup.ts';
import { drawSmallChart } from '../../svg/smallChart.ts';
import type { Replica, ReplicaGroup, ReplicaRow } from '../model/replica.ts';
import { writeMetricNames } from './chartFigure.ts';

/** Writes small charts of replicas, one row per quantity; empty with a single endpoint. */
export function writeReplicaSection(rows: readonly ReplicaRow[]): string {
  if (rows.length === 0) return '';
  const groups = rows.flatMap(row => row.groups);
  const hasHigh = groups.some(({ replicas }) => replicas.some(({ isHigh }) => isHigh));
  const hasRoles = groups.some(({ role }) => role !== '');
  return writeSection(
    'replicas',
    'Replicas',
    writeParagraph(
      `All charts of a row have the same axes. The dashed grey line is the median of all replicas${hasRoles ? ' of the role' : ''}.${hasHigh ? ' ▲ marks a replica with more than 1.5 times the median.' : ''}`,
      'hint',
    ),
    ...rows.map(writeRow),
  );
}

function writeRow(row: ReplicaRow): string {
  return writeElement(
    'section',
    { id: row.id, class: 'replica-row', 'aria-label': row.title },
    writeElement('h3', {}, escapeText(row.title), ' ', writeMetricNames(row.metrics)),
    ...row.groups.map(group => writeGroup(group, row)),
  );
}

function writeGroup(group: ReplicaGroup, row: ReplicaRow): string {
  const { role, spread, replicas } = group;
  const name = role === '' ? 'other servers' : role;
  return (
    (row.groups.length > 1 ? writeElement('h4', {}, escapeText(name)) : '') +
    (spread === '' ? '' : writeParagraph(spread, 'hint')) +
    writeElement('div', { class: 'replicas' }, ...replicas.map(replica => writeReplica(replica, group, row)))
  );
}

function writeReplica(
  { name, color, values, mean, isHigh, stop }: Replica,
  { median }: ReplicaGroup,
  { title, top, unit }: ReplicaRow,
): string {
  const meanText = `${formatNumber(Number(mean.toPrecision(3)))}${unit}`;
  return writeElement(
    'figure',
    { class: `replica${isHigh ? ' high' : ''}` },
    writeElement(
      'figcaption',
      {},
      writeElement('span', { class: 'name', title: name }, isHigh ? '▲ ' : '', escapeText(name)),
      writeElement('span', { class: 'hint' }, escapeText(`mean ${meanText}`)),
      stop === undefined ? '' : writeElement('span', { class: 'stopped' }, 'stopped responding'),
    ),
    drawSmallChart({
      label: `${title} of ${name}, mean ${meanText}`,
      color,
      values,
      median,
      top,
      unit,
      ...(stop !== undefined && { stop }),
    }),
  );
}
