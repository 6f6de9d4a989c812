import { escapeText, writeElement } from './markup.ts';
import { roundPixel } from './path.ts';

/** A text at a position in pixels. */
export interface TextLabel {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  /** The class of a label that differs from the others, such as `end` at the end of an axis. */
  readonly className?: string;
}

/** Writes labels of the same style, such as the numbers of an axis; empty without labels. */
export function writeLabels(className: string, labels: readonly TextLabel[]): string {
  if (labels.length === 0) return '';
  const texts = labels.map(({ x, y, text, className: own }) =>
    writeElement('text', { class: own, x: roundPixel(x), y: roundPixel(y) }, escapeText(text)),
  );
  return writeElement('g', { class: className }, ...texts);
}
