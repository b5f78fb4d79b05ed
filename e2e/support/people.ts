import { de } from '@holdfast/phrases/de';
import { en } from '@holdfast/phrases/en';
import type { Locator, Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { createApi } from '../../tools/api-client.ts';
import { demoOwner } from '../../tools/demo.ts';
import { accessibilityFaults, takePicture, type Visitor } from './browser.ts';

/** What stands on the screen, by key, so that a journey walks in either language. */
export const phrases = { en, de } as const;
export type Text = (typeof phrases)['en' | 'de'];

/** Passwords that the rules of this product take. */
export const first = 'Calm-River-Stones-12!';
export const second = 'Another-Quiet-Hill-34!';

/** Invites somebody as an owner does; without a mail server the link is shown once, and here used. */
async function invite(email: string, role: string): Promise<string> {
  const owner = await createApi(inject('productAddress'), demoOwner);
  const { link } = await owner.post<{ link: string }>('/apollo/api/members', { email, role });
  return new URL(link).pathname;
}

/** Follows an invitation: creates the account, accepts, and signs out again. */
export async function register(page: Page, text: Text, email: string, role = 'administrator'): Promise<void> {
  await page.goto(await invite(email, role));
  await fillIn(page, { [text.signIn.newPassword]: first, [text.signIn.repeatPassword]: first });
  expect(await accessibilityFaults(page)).toEqual([]);
  await button(page, text.signIn.invitationCreate).click();
  await page.waitForURL('**/signin');
  await give(page, text, email, first);
  await page.waitForURL('**/invitation/*');
  await button(page, text.signIn.invitationAccept).click();
  await page.waitForURL(isHome);
  await signOut(page, text);
  // What follows may be on another device, where no customer has been chosen yet.
  await page.evaluate("localStorage.removeItem('worker')");
  await page.goto('/signin');
}

/** The newest address in a mail to somebody, as the local mail page shows it. */
export async function linkFor(email: string, part: string): Promise<string> {
  const newest = async (): Promise<string> => {
    const page = await (await fetch(`${inject('productAddress')}/mailbox`)).text();
    const mails = page.split('<article>').filter((one) => one.includes(email) && one.includes(part));
    const mail = mails[0] ?? '';
    return new RegExp(`href="([^"]*${part}[^"]*)"`).exec(mail)?.[1] ?? '';
  };
  await expect.poll(newest, { timeout: 30_000, interval: 200 }).not.toBe('');
  const { pathname, search } = new URL((await newest()).replaceAll('&amp;', '&'));
  return pathname + search;
}

export const box = (place: Page | Locator, name: string): Locator => place.getByRole('textbox', { name, exact: true });
export const button = (place: Page | Locator, name: string): Locator => place.getByRole('button', { name, exact: true });
export const headed = (page: Page, name: string): Locator => page.getByRole('heading', { level: 1, name, exact: true });

export async function fillIn(place: Page | Locator, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await box(place, name).fill(value);
}

/** Address and password into the sign-in form. */
export async function give(page: Page, text: Text, email: string, password: string): Promise<void> {
  await fillIn(page, { [text.common.email]: email, [text.common.password]: password });
  await button(page, text.signIn.submit).click();
}

export async function signOut(page: Page, text: Text): Promise<void> {
  await button(page, text.shell.account).click();
  await page.getByRole('menuitem', { name: text.shell.signOut, exact: true }).click();
  await page.waitForURL('**/signin');
}

export const isHome = (url: URL): boolean => url.pathname === '/';

/** No fault on this screen, and a picture for those who look at the run. */
export async function look({ page }: Visitor, name: string): Promise<void> {
  expect([name, await accessibilityFaults(page)]).toEqual([name, []]);
  await takePicture(page, name);
}

type Language = keyof typeof phrases;

/** Another language for the page that is open, as a reader chooses it: at the foot of a guest's page, else in the bar. */
export async function speak(page: Page, from: Language, to: Language): Promise<void> {
  const { shell } = phrases[from];
  const choice = page.getByRole('group', { name: shell.language, exact: true });
  const name = to === 'en' ? shell.english : shell.german;
  if (await choice.isVisible()) await button(choice, name).click();
  else {
    await button(page, shell.language).click();
    await page.getByRole('menuitemradio', { name, exact: true }).click();
    await page.getByRole('menu').waitFor({ state: 'detached' });
  }
  await page.locator(`html[lang="${to}"]`).waitFor({ state: 'attached' });
}

/** The same screen in both languages: what is entered and open stays as it is. */
export async function lookInBoth(visitor: Visitor, name: string, language: Language): Promise<void> {
  const other = language === 'en' ? 'de' : 'en';
  await look(visitor, `${name}-${language}`);
  await speak(visitor.page, language, other);
  await look(visitor, `${name}-${other}`);
  await speak(visitor.page, other, language);
}
