import { expect, inject, test } from 'vitest';
import { expectNoFaults, useBrowser, visit } from './support/browser.ts';
import { signIn } from './support/sign-in.ts';

useBrowser();

test('the language is switched without a reload, kept, and German is loaded only when it is chosen', async () => {
  const visitor = await visit();
  const { page } = visitor;
  const loaded: string[] = [];
  page.on('response', (response) => loaded.push(response.url()));
  await page.goto('/signin');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(loaded.filter((url) => /\/de-/.test(url))).toEqual([]);
  await page.getByRole('button', { name: 'Deutsch' }).click();
  await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
  expect(loaded.some((url) => /\/de-/.test(url))).toBe(true);
  expect(await page.locator('html').getAttribute('lang')).toBe('de');
  await page.reload();
  await page.getByRole('heading', { name: 'Anmelden' }).waitFor();
  expectNoFaults(visitor);
});

test('the policy of the page lets in its own scripts and the styles of its nonce, and nothing else', async () => {
  const answer = await fetch(`${inject('productAddress')}/signin`);
  const policy = answer.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).toMatch(/style-src 'self' 'nonce-[^']+'/);
  expect(policy).not.toContain('unsafe');
});

/** Each way in which a string becomes markup or a script, as an attack would try it. */
const attempts = `(() => {
  const outcomes = {};
  const attempt = (name, work) => {
    try { work(); outcomes[name] = 'let through'; } catch (error) { outcomes[name] = error.name; }
  };
  const markup = '<b>x</b>';
  const element = document.body.appendChild(document.createElement('div'));
  attempt('innerHTML', () => { element.innerHTML = markup; });
  attempt('insertAdjacentHTML', () => element.insertAdjacentHTML('beforeend', markup));
  attempt('outerHTML', () => { element.outerHTML = markup; });
  attempt('createContextualFragment', () => document.createRange().createContextualFragment(markup));
  attempt('DOMParser', () => new DOMParser().parseFromString(markup, 'text/html'));
  attempt('document.write', () => document.write(markup));
  attempt('srcdoc', () => { document.createElement('iframe').srcdoc = markup; });
  attempt('script text', () => { document.createElement('script').text = '1'; });
  attempt('script source', () => { document.createElement('script').src = 'https://evil.example/x.js'; });
  attempt('eval', () => eval('1'));
  attempt('Function', () => new Function('1'));
  attempt('timer', () => setTimeout('1', 0));
  attempt('policy', () => trustedTypes.createPolicy('any', { createHTML: (text) => text }));
  attempt('default policy', () => trustedTypes.createPolicy('default', { createHTML: (text) => text }));
  element.remove();
  return JSON.stringify(outcomes);
})()`;

test('in the running portal no string becomes markup or a script, and no policy can be made that lets one through', async () => {
  const visitor = await visit();
  await signIn(visitor);
  const { page, faults } = visitor;
  await page.goto('/');
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  expectNoFaults(visitor);
  const session = await page.context().newCDPSession(page);
  const { result } = await session.send('Runtime.evaluate', {
    expression: attempts,
    allowUnsafeEvalBlockedByCSP: false,
    returnByValue: true,
  });
  await session.detach();
  const outcomes = JSON.parse(String(result.value)) as Record<string, string>;
  expect(Object.keys(outcomes)).toHaveLength(14);
  expect(Object.entries(outcomes).filter(([, outcome]) => !['TypeError', 'EvalError'].includes(outcome))).toEqual([]);
  // It is told as well: a page that did so by itself would fail its journey.
  await expect.poll(() => faults.join('\n'), { timeout: 15_000 }).toContain('TrustedHTML');
});

test('the staging realm says on every page that nothing touches production', async () => {
  const visitor = await visit();
  await signIn(visitor);
  const { page } = visitor;
  await page.goto('/');
  await page.getByRole('button', { name: 'Environment' }).click();
  await page.getByRole('menuitemradio', { name: 'Staging' }).click();
  await page.getByText('Staging: nothing here touches production').waitFor();
  await page.goto('/backup-and-restore/job-monitor');
  await page.getByText('Staging: nothing here touches production').waitFor();
});

test('Ctrl+K leads to any page by a few letters, without the mouse', async () => {
  const visitor = await visit();
  await signIn(visitor);
  const { page } = visitor;
  await page.goto('/');
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await page.keyboard.press('Control+K');
  await page.getByRole('combobox', { name: 'Go to' }).fill('audit');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
  expectNoFaults(visitor);
});
