import { escapeText, writeElement } from '../../svg/markup.ts';
import { drawSparkline } from '../../svg/sparkline.ts';
import type { Tile } from '../model/tiles.ts';

/** Writes the tiles; empty without any. */
export function writeTileSection(tiles: readonly Tile[]): string {
  if (tiles.length === 0) return '';
  return writeElement(
    'section',
    { id: 'tiles', 'aria-label': 'Key figures' },
    writeElement('ul', { class: 'tiles' }, ...tiles.map(writeTile)),
  );
}

function writeTile({ name, value, label, details, side, color, course, limit, alarm }: Tile): string {
  return writeElement(
    'li',
    { class: `tile ${side}${alarm === undefined ? '' : ' alarm'}` },
    writeElement('span', { class: 'tile-name' }, escapeText(name)),
    writeElement(
      'span',
      { class: 'tile-value' },
      label === '' ? '' : `${writeElement('small', {}, escapeText(label))} `,
      escapeText(value),
    ),
    ...details.map(detail => writeElement('span', { class: 'tile-detail' }, escapeText(detail))),
    alarm === undefined || details.includes(alarm)
      ? ''
      : writeElement('span', { class: 'tile-alarm' }, `▲ ${escapeText(alarm)}`),
    drawSparkline(course, color, limit),
    writeElement('span', { class: 'tile-side' }, side),
  );
}
