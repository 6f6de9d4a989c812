import { createElement } from './element.ts';

type Theme = 'light' | 'dark';

const listeners = new Set<() => void>();

/** Registers a listener that is called when the colors of the page change, so that canvases can be redrawn. */
export function onThemeChange(listener: () => void): void {
  listeners.add(listener);
}

function notifyListeners(): void {
  for (const listener of listeners) listener();
}

/** The computed styles of hidden elements, by color name. They follow the theme. */
const probeStyles = new Map<string, CSSStyleDeclaration>();

/**
 * Returns the current value of a color variable of the style sheet, as `rgb(...)`. The color is read from a hidden element,
 * because the variable itself contains both the light and the dark color.
 */
export function getColor(name: string): string {
  const style = probeStyles.get(name) ?? getComputedStyle(createProbe(name));
  probeStyles.set(name, style);
  return style.color;
}

/** Returns a color with 20% opacity. */
export function getFaintColor(name: string): string {
  return getColor(name).replace(/^rgb\((.*)\)$/, 'rgba($1, 0.2)');
}

/** Returns the color name of the line with this index. The eight colors repeat. */
export function getLineColorName(index: number): string {
  return `line-${index % 8}`;
}

function createProbe(name: string): HTMLElement {
  const probe = createElement('span', { hidden: true });
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  return probe;
}

/** Creates the button that switches between light and dark. Until it is clicked, the system setting applies. */
export function createThemeButton(): HTMLButtonElement {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const button = createElement('button', { type: 'button', class: 'theme' });
  const getTheme = (): Theme =>
    (document.documentElement.dataset.theme as Theme | undefined) ?? (system.matches ? 'dark' : 'light');
  const update = (): void => {
    button.textContent = getTheme() === 'dark' ? 'Light mode' : 'Dark mode';
    notifyListeners();
  };
  button.addEventListener('click', () => {
    document.documentElement.dataset.theme = getTheme() === 'dark' ? 'light' : 'dark';
    update();
  });
  system.addEventListener('change', update);
  // The print style uses light colors.
  matchMedia('print').addEventListener('change', notifyListeners);
  update();
  return button;
}
