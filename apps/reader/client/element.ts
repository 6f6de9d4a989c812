/**
 * Attributes by name, such as `class` and `aria-...`. True is an attribute without a value; false and undefined
 * omit it.
 */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Creates an element with children. Text is never parsed as markup, so text from servers cannot become part of
 * the page.
 */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? '' : String(value));
  made.append(...children);
  return made;
}

/** Creates a section with a heading; the links at the top of the page refer to its `id`. */
export function section(id: string, heading: string, ...children: readonly (Node | string)[]): HTMLElement {
  return element(
    'section',
    { id, 'aria-labelledby': `${id}-heading` },
    element('h2', { id: `${id}-heading` }, heading),
    ...children,
  );
}
