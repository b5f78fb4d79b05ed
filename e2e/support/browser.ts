import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import sparticuz from '@sparticuz/chromium';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';

/** A page that remembers everything it complained about; a test ends with `expectNoComplaints`. */
export interface WatchedPage {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Console errors and warnings, page errors, failed requests that nobody announced. */
  readonly complaints: string[];
  /** What this test expects to go wrong: complaints that match are left out. */
  announce(pattern: RegExp): void;
  /** Runs axe over what is on the screen and answers its findings. */
  findings(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface PageOptions {
  readonly language?: 'en' | 'de';
  readonly theme?: 'light' | 'dark' | 'highContrast';
  readonly width?: number;
}

/** The Chromium that comes through npm. It runs as root too, without a sandbox, offline. */
export async function launchBrowser(): Promise<Browser> {
  // A browser of one process dies as a whole with one page; tests want pages apart.
  const args = sparticuz.args.filter((arg) => !/single-process|zygote/.test(arg));
  return await chromium.launch({
    executablePath: await sparticuz.executablePath(),
    args: [...args, '--no-sandbox', '--no-zygote', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    headless: true,
  });
}

const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** Fluent's own focus sentinels are hidden from readers and focusable by design. */
const axeOptions = JSON.stringify({ rules: { 'aria-hidden-focus': { enabled: false } } });
const axeRun = `axe.run(document, ${axeOptions}).then((result) => JSON.stringify(result.violations.map((one) => one.id + ': ' + one.nodes.slice(0, 3).map((node) => node.html.slice(0, 200)).join(' | '))))`;

export async function openPage(
  browser: Browser,
  { language = 'en', theme = 'light', width = 1440 }: PageOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    timezoneId: 'Europe/Berlin',
    locale: 'en-GB',
    reducedMotion: 'reduce',
    acceptDownloads: true,
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  const expected: RegExp[] = [];
  const complain = (text: string): void => {
    if (!expected.some((pattern) => pattern.test(text))) complaints.push(text);
  };
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complain(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complain(`page error: ${error.message}`));
  page.on('requestfailed', (request) => {
    // A navigation ends what was under way, the event stream among it.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED') complain(`request failed: ${request.method()} ${request.url()}`);
  });
  await page.addInitScript(
    ([chosenLanguage, chosenTheme]) => {
      localStorage.setItem('holdfast.language', localStorage.getItem('holdfast.language') ?? chosenLanguage ?? 'en');
      localStorage.setItem('holdfast.theme', localStorage.getItem('holdfast.theme') ?? chosenTheme ?? 'light');
    },
    [language, theme],
  );
  return {
    page,
    context,
    complaints,
    announce: (pattern) => void expected.push(pattern),
    async findings() {
      // Through the debugger, because the content security policy refuses scripts from strings.
      const session = await context.newCDPSession(page);
      await session.send('Runtime.evaluate', { expression: await readFile(axePath, 'utf8') });
      const { result } = await session.send('Runtime.evaluate', { expression: axeRun, awaitPromise: true, returnByValue: true });
      await session.detach();
      return JSON.parse(String(result.value)) as string[];
    },
    close: async () => await context.close(),
  };
}
