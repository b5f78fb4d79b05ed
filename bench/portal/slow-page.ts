import type { Browser, BrowserContext, Page } from 'playwright-core';
import { demoOwner } from '../../tools/demo.ts';

/** How many times slower than this machine the processor of the reader is. */
export const SLOWER = 4;
/** What a deed sets off is over, and its event has been told. */
const SETTLE_MS = 500;
/** Nothing larger has come for as long: at this speed a page is through with what it loads. */
const STILL_MS = 1_500;

/** What a page has told of itself so far. */
export interface Seen {
  /** When the largest thing on the screen was painted. */
  readonly paint: number;
  readonly shift: number;
  /** The longest that anything done took to the next frame. */
  readonly event: number;
}

/** Watches paints, shifts and events from the first moment of a page on. */
const watch = `window.__seen = { paint: 0, shift: 0, event: 0 };
new PerformanceObserver((list) => { for (const one of list.getEntries()) __seen.paint = one.startTime; }).observe({ type: 'largest-contentful-paint', buffered: true });
new PerformanceObserver((list) => { for (const one of list.getEntries()) if (!one.hadRecentInput) __seen.shift += one.value; }).observe({ type: 'layout-shift', buffered: true });
new PerformanceObserver((list) => { for (const one of list.getEntries()) __seen.event = Math.max(__seen.event, one.duration); }).observe({ type: 'event', durationThreshold: 16, buffered: true });`;

type Kept = Awaited<ReturnType<BrowserContext['storageState']>>;

/** A page of a profile without any cache, at the reader's speed; signed in when it is given what a sign-in left behind. */
export async function openSlowPage(browser: Browser, baseURL: string, kept?: Kept): Promise<Page> {
  const context = await browser.newContext({
    baseURL,
    viewport: { width: 1440, height: 900 },
    ...(kept === undefined ? {} : { storageState: kept }),
  });
  await context.addInitScript({ content: watch });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  return page;
}

/** Opens an address and waits until nothing larger comes any more; the page is asked rarely, for that takes its time. */
export async function paintOf(page: Page, address: string): Promise<Seen> {
  await page.goto(address);
  for (let before = -1; ;) {
    await page.waitForTimeout(STILL_MS);
    const seen = await page.evaluate<Seen>('window.__seen');
    if (seen.paint > 0 && seen.paint === before) return seen;
    before = seen.paint;
  }
}

/** How long a deed takes from the event to the next frame, whatever it sets off. */
export async function durationOf(page: Page, deed: () => Promise<void>): Promise<number> {
  await page.waitForTimeout(SETTLE_MS);
  await page.evaluate('window.__seen.event = 0');
  await deed();
  await page.waitForTimeout(SETTLE_MS);
  return (await page.evaluate<Seen>('window.__seen')).event;
}

/** Signs the demo's owner in and answers what the browser keeps of it. */
export async function signInOnce(browser: Browser, baseURL: string): Promise<Kept> {
  const context = await browser.newContext({ baseURL });
  const page = await context.newPage();
  await page.goto('/signin');
  await page.getByRole('textbox', { name: 'E-mail' }).fill(demoOwner.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(demoOwner.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((url) => url.pathname === '/');
  await page.getByRole('button', { name: 'Back up now' }).waitFor();
  const kept = await context.storageState();
  await context.close();
  return kept;
}
