import { escapeText, writeElement } from '../../svg/markup.ts';
import { drawSparkline, isNear } from '../../svg/sparkline.ts';
import type { Tile } from '../model/tile.ts';

/** Writes the tiles; empty without any. */
export function writeTileSection(tiles: readonly Tile[]): string {
  if (tiles.length === 0) return '';
  return writeElement(
    'section',
    { id: 'tiles', 'aria-label': 'Key figures' },
    writeElement('ul', { class: 'tiles' }, ...tiles.map(writeTile)),
  );
}

function writeTile(tile: Tile): string {
  const { name, value, label, details, was, change, side, color, course, limit, top, alarm } = tile;
  return writeElement(
    'li',
    { class: `tile ${side}${alarm === undefined ? '' : ' alarm'}` },
    writeElement('span', { class: 'tile-name' }, escapeText(name)),
    writeElement(
      'span',
      { class: 'tile-value' },
      label === '' ? '' : `${writeElement('small', {}, escapeText(label))} `,
      writeElement('span', { class: 'tile-number' }, escapeText(value)),
    ),
    ...details.map(detail => writeElement('span', { class: 'tile-detail' }, escapeText(detail))),
    alarm === undefined || details.includes(alarm)
      ? ''
      : writeElement('span', { class: 'tile-alarm' }, `▲ ${escapeText(alarm)}`),
    ...[was, change].map(text =>
      text === undefined ? '' : writeElement('span', { class: 'tile-was' }, escapeText(text)),
    ),
    drawSparkline(course, color, { limit, top }),
    writeElement('span', { class: 'tile-side' }, `${escapeText(side)}${writeLimit(tile)}`),
  );
}

/** Names the dotted line of a tile; empty if it is not drawn. On a phone, there is no space for it next to the name. */
function writeLimit({ limit, limitText, course }: Tile): string {
  const isDrawn = limit !== undefined && course.some(value => value !== null) && isNear(limit, course);
  if (!isDrawn || limitText === undefined) return '';
  return writeElement('span', { class: 'tile-limit' }, escapeText(` · ┈ ${limitText}`));
}
