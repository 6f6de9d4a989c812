/**
 * Attributes by name, such as `class` and `aria-label`. True sets an attribute without a value; false and undefined
 * omit the attribute.
 */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Creates an element with children. Text is never parsed as HTML, so text from servers cannot inject elements into the
 * page.
 */
export function createElement<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) node.setAttribute(name, value === true ? '' : String(value));
  node.append(...children);
  return node;
}

/** Creates a section with a heading. The links at the top of the page refer to its `id`. */
export function createSection(
  id: string,
  heading: string,
  ...children: readonly (Node | string)[]
): HTMLElement {
  return createElement(
    'section',
    { id, 'aria-labelledby': `${id}-heading` },
    createElement('h2', { id: `${id}-heading` }, heading),
    ...children,
  );
}

/** Creates a button. */
export function createButton(name: string, onClick: () => void): HTMLButtonElement {
  const button = createElement('button', { type: 'button' }, name);
  button.addEventListener('click', onClick);
  return button;
}

/** Creates a focusable box in which a table scrolls. `label` describes the box to screen readers. */
export function createScrollBox(label: string, table: HTMLTableElement): HTMLElement {
  return createElement('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label }, table);
}
