import { type Browser, chromium, type Page } from 'playwright-core';

const PATH = '/usr/bin/chromium';
const ARGS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/** Starts Debian's Chromium. The caller must close it. */
export function startChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: PATH, args: ARGS });
}

/** Collects the problems of a page: errors and warnings on the console, exceptions, failed requests. */
export function collectProblems(page: Page): readonly string[] {
  const problems: string[] = [];
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
  });
  page.on('pageerror', error => problems.push(error.message));
  page.on('requestfailed', request => problems.push(`cannot load ${request.url()}`));
  return problems;
}
