import { escapeText, writeElement } from '../svg/markup.ts';

/** The ID of the heading of a page. */
export const TITLE_ID = 'page-title';

/** The parts of a page, as markup whose text is escaped. */
export interface FrameParts {
  /** Follows the heading, in the header. */
  readonly subtitle?: string;
  /** Follows the header. */
  readonly bar?: string;
  readonly main: readonly string[];
}

/** Writes the body of a page: the header, which the script adds buttons to, and the main part. */
export function writeFrame(title: string, { subtitle = '', bar = '', main }: FrameParts): string {
  return [
    writeElement('a', { class: 'skip', href: '#main' }, 'Skip to content'),
    writeElement(
      'header',
      {},
      writeElement(
        'div',
        { class: 'title' },
        writeTitle(title),
        writeElement('div', { id: 'actions', class: 'actions' }),
      ),
      subtitle,
    ),
    bar,
    writeElement('main', { id: 'main' }, ...main),
  ].join('');
}

/** Writes the heading of a page. */
export function writeTitle(title: string): string {
  return writeElement('h1', { id: TITLE_ID }, escapeText(title));
}
