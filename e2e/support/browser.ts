import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest';
import { launchChromium } from '../../tools/chromium.ts';

/** Somebody in front of a browser, and all that the browser complained about. */
export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Console errors and warnings, page errors, reports of the content policy, requests that failed. */
  readonly faults: string[];
  /** Requests that have no answer yet; the stream of events, which never ends, is none of them. */
  readonly underWay: Set<Request>;
}

export const themes = ['light', 'dark', 'highContrast'] as const;
export type Theme = (typeof themes)[number];
export type Language = 'en' | 'de';
/** Of what is seen in every language and theme two pictures are taken, so that both languages and both common themes are among them. */
export const pictured: Readonly<Record<Language, Theme>> = { en: 'light', de: 'dark' };

export interface VisitOptions {
  readonly language?: Language;
  readonly theme?: Theme | 'system';
  readonly width?: number;
  readonly height?: number;
  /** Another product than that of the run. */
  readonly address?: string;
}

const pictures = path.resolve(import.meta.dirname, '../../artifacts/pictures');
const axePath = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/**
 * Fluent's own focus sentinels are hidden from readers and focusable by design. Every rule looks at everything; only
 * what it finds wrong is written down, which is where much of the time went.
 */
const axeRun = (
  rules: 'all' | 'of colours',
) => `axe.run(document, { resultTypes: ['violations'], selectors: false, rules: { 'aria-hidden-focus': { enabled: false } }, ...${
  rules === 'all' ? '{}' : `{ runOnly: ['color-contrast', 'link-in-text-block'] }`
} })
  .then(({ passes, violations }) => {
    if (passes.length + violations.length === 0) throw new Error('No rule had anything to look at.');
    return JSON.stringify(violations.map((one) => one.id + ': ' + one.nodes.slice(0, 3).map((node) => node.html.slice(0, 200)).join(' | ')));
  })`;

let browser: Browser | undefined;
const visitors: Visitor[] = [];

/** One browser for the journeys of a file; what a journey opened is closed after it. */
export function useBrowser(): void {
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await pictureFailure(task.name);
    await Promise.all(visitors.splice(0).map(async (visitor) => await visitor.context.close()));
  });
  afterAll(async () => {
    await browser?.close();
    browser = undefined;
  });
}

/** What was on the screens of a journey when it failed, with what the browsers had complained about. */
async function pictureFailure(test: string): Promise<void> {
  const name = test.replaceAll(/[^\w]+/g, '-').slice(0, 60);
  const screens = visitors.flatMap(({ context, faults }) => context.pages().map((page) => ({ page, faults })));
  for (const [at, { page, faults }] of screens.entries()) {
    await takePicture(page, `failed-${name}-${at}`).catch(() => undefined);
    await writeFile(path.join(pictures, `failed-${name}-${at}.txt`), `${page.url()}\n${faults.join('\n')}\n`);
  }
}

/** Chooses language and theme before the portal starts. The sandboxed frame of a preview has no storage, and needs none. */
function choicesScript(language: string, theme: string): string {
  const choose = (key: string, value: string): string => `localStorage.setItem('${key}', localStorage.getItem('${key}') ?? '${value}');`;
  return `if (window.top === window.self && location.protocol.startsWith('http')) { ${choose('holdfast.language', language)} ${choose('holdfast.theme', theme)} }`;
}

/** A new visitor with a clean profile; addresses are relative to the product of this run. */
export async function visit({
  language = 'en',
  theme = 'light',
  width = 1440,
  height = 900,
  address,
}: VisitOptions = {}): Promise<Visitor> {
  if (browser === undefined) throw new Error('Call useBrowser() at the top of the file.');
  const context = await browser.newContext({
    baseURL: address ?? inject('productAddress'),
    viewport: { width, height },
    timezoneId: 'Europe/Berlin',
    locale: 'en-GB',
    reducedMotion: 'reduce',
    acceptDownloads: true,
  });
  await context.addInitScript({ content: choicesScript(language, theme) });
  const faults: string[] = [];
  const underWay = new Set<Request>();
  context.on('page', (page) => {
    watch(page, faults);
    follow(page, underWay);
  });
  const visitor = { context, faults, underWay, page: await context.newPage() };
  visitors.push(visitor);
  return visitor;
}

function watch(page: Page, faults: string[]): void {
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      faults.push(`console ${message.type()}: ${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => faults.push(`page error: ${error.message}`));
  page.on('requestfailed', (request) => {
    // Leaving a page ends what was under way, the stream of events among it.
    const reason = request.failure()?.errorText ?? '';
    if (reason !== 'net::ERR_ABORTED') faults.push(`request failed: ${request.method()} ${request.url()} ${reason}`);
  });
}

function follow(page: Page, underWay: Set<Request>): void {
  page.on('request', (request) => {
    if (!new URL(request.url()).pathname.endsWith('/events')) underWay.add(request);
  });
  page.on('requestfinished', (request) => underWay.delete(request));
  page.on('requestfailed', (request) => underWay.delete(request));
}

/** How much on a page still changes its look: a colour on its way is neither the one before nor the one after. */
const moving = async (page: Page): Promise<number> =>
  await page.evaluate<number>(
    `document.getAnimations().filter((one) => one.playState === 'running' && one.effect.getComputedTiming().endTime !== Infinity).length`,
  );

const rest = async (page: Page): Promise<void> => {
  await expect.poll(async () => await moving(page), { timeout: 30_000, interval: 50 }).toBe(0);
};

/** Waits until the page has what it asked for and shows it. */
export async function settle({ page, underWay }: Visitor): Promise<void> {
  await expect
    .poll(
      async () => {
        const busy = await page.locator('[aria-busy="true"]').count();
        const changing = await moving(page);
        return [
          ...[...underWay].map((request) => request.url()),
          ...Array.from({ length: busy }, () => 'a busy region'),
          ...Array.from({ length: changing }, () => 'a change of looks'),
        ];
      },
      { timeout: 30_000, interval: 100 },
    )
    .toEqual([]);
}

const systems = {
  light: { colorScheme: 'light', contrast: 'no-preference' },
  dark: { colorScheme: 'dark', contrast: 'no-preference' },
  highContrast: { colorScheme: 'dark', contrast: 'more' },
} as const;

/**
 * Looks at the page as it is in each theme, one after another: the reader's system changes, and the portal follows it. Answers
 * what axe finds, by theme.
 */
export async function inEachTheme(visitor: Visitor, look: (theme: Theme) => Promise<void>): Promise<string[]> {
  const faults: string[] = [];
  for (const theme of themes) {
    await visitor.page.emulateMedia(systems[theme]);
    await visitor.page.locator(`html[data-theme="${theme}"]`).waitFor({ state: 'attached' });
    await rest(visitor.page);
    await look(theme);
    // One document in other colours: what a theme can spoil is these.
    const found = await accessibilityFaults(visitor.page, theme === themes[0] ? 'all' : 'of colours');
    faults.push(...found.map((fault) => `${theme}, ${fault}`));
  }
  return faults;
}

/**
 * What axe finds on a screen that has come to rest: on a busy machine a drawer can still be on its way out. It goes through the
 * debugger: the content policy refuses scripts from strings.
 */
export async function accessibilityFaults(page: Page, rules: 'all' | 'of colours' = 'all'): Promise<string[]> {
  await rest(page);
  const session = await page.context().newCDPSession(page);
  const known = await session.send('Runtime.evaluate', { expression: 'typeof axe' });
  if (known.result.value === 'undefined') await session.send('Runtime.evaluate', { expression: await readFile(axePath, 'utf8') });
  const { result } = await session.send('Runtime.evaluate', { expression: axeRun(rules), awaitPromise: true, returnByValue: true });
  await session.detach();
  return JSON.parse(String(result.value)) as string[];
}

/** Fails with everything the browser complained about that the journey did not announce. */
export function expectNoFaults({ faults }: Visitor, announced: readonly RegExp[] = []): void {
  expect(faults.filter((fault) => !announced.some((pattern) => pattern.test(fault)))).toEqual([]);
}

/** A picture for those who look at the run afterwards: quick to make rather than small. */
export async function takePicture(page: Page, name: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true });
  await session.detach();
  await mkdir(pictures, { recursive: true });
  await writeFile(path.join(pictures, `${name}.png`), Buffer.from(data, 'base64'));
}
