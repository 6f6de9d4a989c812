import { createElement } from './element.ts';

type Theme = 'light' | 'dark';

/** Creates the button that switches between light and dark. Until it is clicked, the system setting applies. */
export function createThemeButton(): HTMLButtonElement {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const button = createElement('button', { type: 'button', class: 'theme' });
  const getTheme = (): Theme =>
    (document.documentElement.dataset.theme as Theme | undefined) ?? (system.matches ? 'dark' : 'light');
  const update = (): void => {
    button.textContent = getTheme() === 'dark' ? 'Light mode' : 'Dark mode';
  };
  button.addEventListener('click', () => {
    document.documentElement.dataset.theme = getTheme() === 'dark' ? 'light' : 'dark';
    update();
  });
  system.addEventListener('change', update);
  update();
  return button;
}
