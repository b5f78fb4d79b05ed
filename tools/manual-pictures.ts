/**
 * The pictures of the manual: the assistant that connects a tenant, step by step and in both languages, against a
 * simulated Microsoft Entra in which the script really runs. `npm run pictures` takes them with those of the README;
 * run by itself, this file takes them alone.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { de } from '../packages/phrases/src/de.ts';
import { en } from '../packages/phrases/src/en.ts';
import type { Browser, Page } from 'playwright-core';
import { runAzureCliScript } from '../apps/server/src/testing/azure-cli.ts';
import type { ScreenshotName } from '../packages/phrases/src/catalogue/manual.ts';
import { buildPortal } from './build-portal.ts';
import { launchChromium } from './chromium.ts';
import { demoOwner } from './demo.ts';
import { startProduct, type Product } from './product.ts';
import { root } from './run.ts';

const folder = path.join(root, 'apps/portal/src/features/help/pictures');
const phrases = { en, de } as const;
type Language = keyof typeof phrases;
type Take = (name: ScreenshotName) => Promise<void>;

/** As WebP: a quarter of what the same picture takes as PNG. */
async function takeWebp(page: Page, file: string): Promise<void> {
  await page.mouse.move(0, 0);
  await page.waitForTimeout(1_500);
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
  await session.detach();
  await writeFile(file, Buffer.from(data, 'base64'));
}

async function signIn(page: Page, { common, signIn: { submit } }: (typeof phrases)[Language]): Promise<void> {
  await page.goto('/signin');
  await page.getByRole('textbox', { name: common.email, exact: true }).fill(demoOwner.email);
  await page.getByRole('textbox', { name: common.password, exact: true }).fill(demoOwner.password);
  await page.getByRole('button', { name: submit, exact: true }).click();
  await page.waitForURL((url) => url.pathname === '/');
}

/** The script and its pictures name Microsoft's own address, where the simulator has one of this machine. */
async function nameMicrosoft(page: Page): Promise<void> {
  await page.evaluate(
    `for (const one of document.querySelectorAll('pre')) one.textContent = one.textContent.replaceAll(/https:\\/\\/(?:127\\.0\\.0\\.1|localhost):\\d+/g, 'https://graph.microsoft.com');`,
  );
}

async function walk(page: Page, { simulator }: Product, given: { language: Language; dataDir: string; take: Take }): Promise<void> {
  const text = phrases[given.language];
  const next = () => page.getByRole('button', { name: text.common.next, exact: true }).click();
  await page.goto('/configuration/connect');
  await page.getByRole('heading', { level: 1, name: text.setups.title }).waitFor();
  await given.take('connect-choose');
  await next();
  const script = await page.getByRole('region', { name: text.setups.azureCli }).innerText();
  if (!simulator) throw new Error('There is no simulator.');
  const { output } = await runAzureCliScript(simulator, given.dataDir, script);
  const [tenantId = '', clientId = ''] = output.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? [];
  await nameMicrosoft(page);
  await given.take('connect-register');
  await next();
  await page.getByRole('textbox', { name: text.common.name, exact: true }).fill('Contoso');
  await page.getByRole('textbox', { name: text.setups.directoryId }).fill(tenantId);
  await page.getByRole('textbox', { name: text.setups.applicationId }).fill(clientId);
  await page.getByText(text.setups.granted_other.replace('{{granted}}', '22').replace('{{count}}', '22')).waitFor();
  await given.take('connect-permissions');
}

/** Takes the pictures of a product that has its first owner; nothing is connected by it. */
export async function takeGuide(browser: Browser, product: Product, dataDir: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const language of ['en', 'de'] as const) {
    const context = await browser.newContext({
      baseURL: product.address,
      viewport: { width: 1_120, height: 720 },
      reducedMotion: 'reduce',
      locale: language === 'de' ? 'de-DE' : 'en-GB',
      timezoneId: 'Europe/Berlin',
    });
    await context.addInitScript({ content: `localStorage.setItem('holdfast.language', '${language}');` });
    const page = await context.newPage();
    await signIn(page, phrases[language]);
    const take: Take = (name) => takeWebp(page, path.join(folder, `${name}.${language}.webp`));
    await walk(page, product, { language, dataDir, take });
    await context.close();
  }
  console.log(`The pictures of the manual are in ${path.relative(root, folder)}.`);
}

async function takeGuideAlone(): Promise<void> {
  await buildPortal();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'holdfast-manual-'));
  const product = await startProduct({ dataDir, port: '0', withSimulator: true, onOutput: () => undefined });
  const browser = await launchChromium();
  try {
    await takeGuide(browser, product, dataDir);
  } finally {
    await browser.close();
    await product.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

if (import.meta.main) await takeGuideAlone();
