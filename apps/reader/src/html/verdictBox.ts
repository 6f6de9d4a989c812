import { escapeText, writeElement } from '../svg/markup.ts';
import { writeParagraph } from './section.ts';

/** The result of a page in a sentence, with a word for its tone, so that color is not needed. */
export interface VerdictBox {
  readonly id: string;
  /** The name of the box for screen readers. */
  readonly label: string;
  readonly tone: 'problem' | 'warning' | 'good' | 'unknown';
  /** Precedes the sentence, such as `▲ Problem:`. */
  readonly word: string;
  readonly sentence: string;
}

/** Writes the result of a page, with more markup below it. */
export function writeVerdictBox(
  { id, label, tone, word, sentence }: VerdictBox,
  ...more: readonly string[]
): string {
  return writeElement(
    'section',
    { id, class: `verdict-box tone-${tone}`, 'aria-label': label },
    writeElement(
      'p',
      { class: 'sentence' },
      writeElement('span', { class: 'tone' }, escapeText(word)),
      ' ',
      escapeText(sentence),
    ),
    ...more,
  );
}

/** Writes facts below a verdict as a sentence; empty without text. */
export function writeFacts(text: string): string {
  return text === '' ? '' : writeParagraph(`${text[0]!.toUpperCase()}${text.slice(1)}.`, 'facts');
}
