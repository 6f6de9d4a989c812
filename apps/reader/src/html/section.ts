import { escapeText, writeElement } from '../svg/markup.ts';

/** Writes a section with a heading. */
export function writeSection(id: string, heading: string, ...children: readonly string[]): string {
  return writeElement(
    'section',
    { id, 'aria-labelledby': `${id}-heading` },
    writeElement('h2', { id: `${id}-heading` }, escapeText(heading)),
    ...children,
  );
}

/** Writes a paragraph of text. */
export function writeParagraph(text: string, className?: string): string {
  return writeElement('p', { class: className }, escapeText(text));
}
