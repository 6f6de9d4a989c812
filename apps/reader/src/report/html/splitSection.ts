import { formatPercent, formatValue } from '@org/core';
import { writeParagraph, writeSection } from '../../html/section.ts';
import { escapeText, writeElement } from '../../svg/markup.ts';
import { drawSplitBar } from '../../svg/splitBar.ts';
import type { ClientSection, ReportDocument } from '../document.ts';
import type { TimeSplit } from '../model/timeSplit.ts';

/** Writes where the time of a mean request went, and whether client and servers counted the same requests. */
export function writeSplitSection({ split, client }: Pick<ReportDocument, 'split' | 'client'>): string {
  if (!split) return '';
  return writeSection(
    'time',
    `Where the time went: on average ${formatMs(split.meanMs)} per request`,
    drawSplitBar(split.stages, describeSplit(split)),
    writeElement('ul', { class: 'stages' }, ...split.stages.map(writeStage)),
    ...(split.kvTransfer ? [writeParagraph(`${split.kvTransfer}.`, 'hint')] : []),
    ...describeCounts(client).map(text => writeParagraph(text, 'hint')),
    ...split.unknown.map(text => writeParagraph(`Not known: ${text}.`, 'hint')),
  );
}

function writeStage({ name, color, meanMs, share }: TimeSplit['stages'][number]): string {
  return writeElement(
    'li',
    {},
    writeElement('span', { class: `swatch area b-${color}`, 'aria-hidden': 'true' }),
    `${escapeText(name)} ${writeElement('strong', {}, formatMs(meanMs))} ${escapeText(formatShare(share))}`,
  );
}

function describeSplit({ stages }: TimeSplit): string {
  return `Mean time of a request: ${stages.map(({ name, meanMs }) => `${name} ${formatMs(meanMs)}`).join(', ')}`;
}

function describeCounts(client: ClientSection | undefined): string[] {
  const { requests, server } = client?.reconciliation ?? {};
  if (!requests) return [];
  const counts = `The client counted ${requests.client} requests, ${server} ${requests.server}`;
  return [
    requests.difference === 0
      ? `${counts}: the same requests.`
      : `${counts}: a difference of ${requests.difference}.`,
  ];
}

function formatMs(ms: number): string {
  return formatValue(Number(ms.toPrecision(3)), 'ms');
}

/** The smallest share that is written as a number. */
const MIN_SHARE = 1e-4;

function formatShare(share: number): string {
  return share > 0 && share < MIN_SHARE ? `<${formatPercent(MIN_SHARE)}` : formatPercent(share);
}
