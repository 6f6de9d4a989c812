import { element } from './element.ts';

type Theme = 'light' | 'dark';

const listeners = new Set<() => void>();

/** Calls back when the colors of the page have changed, because canvases have to be redrawn. */
export function onTheme(listener: () => void): void {
  listeners.add(listener);
}

/** By name of a color: the style of a hidden element that has the color and follows the theme. */
const styles = new Map<string, CSSStyleDeclaration>();

/**
 * Returns the current value of a color of the style sheet, as `rgb(...)`: the variable itself contains both
 * light and dark.
 */
export function color(name: string): string {
  const style = styles.get(name) ?? getComputedStyle(swatch(name));
  styles.set(name, style);
  return style.color;
}

/** Returns a color with 20% opacity. */
export function faint(name: string): string {
  return color(name).replace(/^rgb\((.*)\)$/, 'rgba($1, 0.2)');
}

function swatch(name: string): HTMLElement {
  const made = element('span', { hidden: true });
  made.style.color = `var(--${name})`;
  document.body.append(made);
  return made;
}

/** The button that switches between light and dark. Until it is clicked, the system setting applies. */
export function themeButton(): HTMLButtonElement {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const button = element('button', { type: 'button', class: 'theme' });
  const current = (): Theme =>
    (document.documentElement.dataset.theme as Theme | undefined) ?? (system.matches ? 'dark' : 'light');
  const show = (): void => {
    button.textContent = current() === 'dark' ? 'Light mode' : 'Dark mode';
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
