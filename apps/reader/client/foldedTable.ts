import { createElement } from './element.ts';

/** Creates a folded part of the page with a heading. A link to its `id` unfolds it. */
export function createFoldedTable(
  id: string,
  heading: string,
  ...children: readonly (Node | string)[]
): HTMLElement {
  const details = createElement(
    'details',
    { id, class: 'fold' },
    createElement('summary', {}, createElement('h3', {}, heading)),
    ...children,
  );
  const unfoldIfTarget = (): void => {
    if (location.hash === `#${id}`) details.open = true;
  };
  addEventListener('hashchange', unfoldIfTarget);
  unfoldIfTarget();
  return details;
}
