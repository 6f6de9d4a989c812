/** Attributes by name; `class`, `aria-...` and so on. True is an attribute without a value, false and undefined none. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * An element with children. Text is always text, never markup: what servers say cannot become part of the page.
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

/** A part of the page under a heading; `id` is what the links at the top name. */
export function section(id: string, heading: string, ...children: readonly (Node | string)[]): HTMLElement {
  return element(
    'section',
    { id, 'aria-labelledby': `${id}-heading` },
    element('h2', { id: `${id}-heading` }, heading),
    ...children,
  );
}
