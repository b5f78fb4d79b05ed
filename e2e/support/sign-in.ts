import { audiences } from '@holdfast/contract/legacy/auth';
import { browserClock } from '../../apps/portal/src/api/clock.ts';
import { createSessions } from '../../apps/portal/src/api/sessions.ts';
import { createSignIn, type SignedInAnswer, type StoredUser } from '../../apps/portal/src/api/sign-in-state.ts';
import { demoOwner } from '../../tools/demo.ts';
import type { Visitor } from './browser.ts';

/** Signs the demo's owner in by the form and waits for the start page; its one customer is chosen by itself. */
export async function signInByForm({ page }: Visitor): Promise<void> {
  await page.goto('/signin');
  await page.getByRole('textbox', { name: 'E-mail' }).fill(demoOwner.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(demoOwner.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((url) => url.pathname === '/');
}

/** What the portal writes down of a sign-in, as a script for a page of its address. */
function writtenDown(answer: SignedInAnswer): string {
  const lines: string[] = [];
  const jar = {
    get cookie() {
      return '';
    },
    set cookie(cookie: string) {
      lines.push(`document.cookie = ${JSON.stringify(cookie)};`);
    },
  };
  const kept = {
    read: () => null,
    write: (user: StoredUser | null) => void lines.push(`localStorage.setItem('user', ${JSON.stringify(JSON.stringify(user))});`),
  };
  createSignIn({ sessions: createSessions(jar, browserClock, false), kept, clock: browserClock }).complete(answer);
  return lines.join('\n');
}

/**
 * Signs the demo's owner in with the call that the form makes; no page is open then. The form is what the first journey is
 * about: each of the others would draw it, and the start page after it, only to leave them.
 */
export async function signIn({ page, context }: Visitor): Promise<void> {
  const answer = await context.request.post('/api/auth/signin', { data: { ...demoOwner, audiences } });
  if (!answer.ok()) throw new Error(`The sign-in answered ${answer.status()}: ${await answer.text()}`);
  // Nothing of the portal runs at this address.
  await page.goto('/favicon.svg');
  await page.evaluate(writtenDown((await answer.json()) as SignedInAnswer));
}
