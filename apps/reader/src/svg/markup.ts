/** Attributes by name. Undefined and false omit an attribute; true writes it without a value. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Shapes of SVG, which have no children. */
const SHAPES: ReadonlySet<string> = new Set(['path', 'rect']);

/** Writes an element of HTML or SVG. Children are markup; text must be escaped with `escapeText`. */
export function writeElement(
  name: string,
  attributes: Attributes = {},
  ...children: readonly string[]
): string {
  const written = Object.entries(attributes).map(([key, value]) => writeAttribute(key, value));
  if (SHAPES.has(name)) return `<${name}${written.join('')}/>`;
  return `<${name}${written.join('')}>${children.join('')}</${name}>`;
}

function writeAttribute(name: string, value: Attributes[string]): string {
  if (value === undefined || value === false) return '';
  return value === true ? ` ${name}` : ` ${name}="${escapeText(String(value))}"`;
}

/** Escapes text, such as a label of a server, for markup and for values of attributes. */
export function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`);
}
