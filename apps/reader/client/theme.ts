import { createElement } from './element.ts';

type Theme = 'light' | 'dark';

const listeners = new Set<() => void>();

/** Registers a listener that runs when the colors of the page change, because canvases have to be redrawn. */
export function onThemeChange(listener: () => void): void {
  listeners.add(listener);
}

function notifyListeners(): void {
  for (const listener of listeners) listener();
}

/** The computed style of a hidden element for each color, which follows the theme. */
const probeStyles = new Map<string, CSSStyleDeclaration>();

/**
 * Returns the current value of a color of the style sheet, as `rgb(...)`: the variable itself contains both
 * light and dark.
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

/** Returns the name of the color of a line, given its index. Colors repeat. */
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
  // Paper is white.
  matchMedia('print').addEventListener('change', notifyListeners);
  update();
  return button;
}
