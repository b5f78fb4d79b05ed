import type { Page } from 'playwright-core';
import type { Product } from './product.ts';

/** Signs in by the form and waits for the start page. The customer is chosen by itself: there is one. */
export async function signIn(page: Page, product: Product): Promise<void> {
  await page.goto(`${product.address}/signin`);
  await page.fill('input[name="email"]', product.email);
  await page.fill('input[name="password"]', product.password);
  await page.click('button[type="submit"]');
  await page.waitForURL(`${product.address}/`);
}

/** Opens an address inside the portal, as a link would, and waits for its heading. */
export async function open(page: Page, product: Product, path: string): Promise<string> {
  await page.goto(product.address + path);
  const heading = page.locator('h1');
  await heading.waitFor();
  return (await heading.textContent()) ?? '';
}
