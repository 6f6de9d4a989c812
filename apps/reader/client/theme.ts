import { element } from './element.ts';

type Theme = 'light' | 'dark';

const listeners = new Set<() => void>();

/** Calls back when the colours of the page have changed: canvases are drawn again. */
export function onTheme(listener: () => void): void {
  listeners.add(listener);
}

/** A colour of the style sheet as it is now. */
export function color(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** The button that changes between light and dark; without a click the system decides. */
export function themeButton(): HTMLButtonElement {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const button = element('button', { type: 'button', class: 'theme' });
  const current = (): Theme =>
    (document.documentElement.dataset.theme as Theme | undefined) ?? (system.matches ? 'dark' : 'light');
  const show = (): void => {
    button.textContent = current() === 'dark' ? 'Light colours' : 'Dark colours';
    for (const listener of listeners) listener();
  };
  button.addEventListener('click', () => {
    document.documentElement.dataset.theme = current() === 'dark' ? 'light' : 'dark';
    show();
  });
  system.addEventListener('change', show);
  // Paper is white.
  matchMedia('print').addEventListener('change', () => {
    for (const listener of listeners) listener();
  });
  show();
  return button;
}
