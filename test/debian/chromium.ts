import { type Browser, chromium, type Page } from 'playwright-core';

const PATH = '/usr/bin/chromium';
const ARGS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/** Debian's Chromium; whoever starts it closes it. */
export function startChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: PATH, args: ARGS });
}

/** Gathers what a page complains of: errors and warnings on its console, exceptions, files that did not come. */
export function complaintsOf(page: Page): readonly string[] {
  const complaints: string[] = [];
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', error => complaints.push(error.message));
  page.on('requestfailed', request => complaints.push(`cannot load ${request.url()}`));
  return complaints;
}
