import { element } from './element.ts';

type Theme = 'light' | 'dark';

const listeners = new Set<() => void>();

/** Calls back when the colours of the page have changed: canvases are drawn again. */
export function onTheme(listener: () => void): void {
  listeners.add(listener);
}

/** By name of a colour: the style of a hidden element that has it, which follows the theme. */
const styles = new Map<string, CSSStyleDeclaration>();

/** A colour of the style sheet as it is now, as `rgb(...)`: the variable itself still has light and dark in it. */
export function color(name: string): string {
  const style = styles.get(name) ?? getComputedStyle(swatch(name));
  styles.set(name, style);
  return style.color;
}

/** A fifth of it, over whatever it is drawn upon. */
export function faint(name: string): string {
  return color(name).replace(/^rgb\((.*)\)$/, 'rgba($1, 0.2)');
}

function swatch(name: string): HTMLElement {
  const made = element('span', { hidden: true });
  made.style.color = `var(--${name})`;
  document.body.append(made);
  return made;
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
