import { escapeText, writeElement } from '../svg/markup.ts';

/** A named fact about a run. */
export interface Fact {
  readonly name: string;
  readonly text: string;
}

/** Writes facts as a list of descriptions. */
export function writeFactList(facts: readonly Fact[]): string {
  return writeElement('dl', {}, ...facts.map(writeFact));
}

function writeFact({ name, text }: Fact): string {
  return writeElement(
    'div',
    {},
    writeElement('dt', {}, escapeText(name)),
    name === 'Command' ? writeCommand(text) : writeElement('dd', {}, escapeText(text)),
  );
}

/** Writes a command whose words are not broken between lines. */
function writeCommand(command: string): string {
  const words = command.split(' ').map(word => writeElement('span', {}, escapeText(word)));
  return writeElement('dd', { class: 'command' }, words.join(' '));
}
