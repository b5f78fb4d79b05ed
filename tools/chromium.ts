import sparticuz from '@sparticuz/chromium';
import { chromium, type Browser } from 'playwright-core';

/** The Chromium that comes through npm: it runs as root too, without a sandbox, and looks nothing up. */
export async function launchChromium(options: { readonly env?: Record<string, string> } = {}): Promise<Browser> {
  // A browser of one process dies as a whole with one page; journeys want pages apart.
  const args = sparticuz.args.filter((arg) => !/single-process|zygote/.test(arg));
  return await chromium.launch({
    executablePath: await sparticuz.executablePath(),
    args: [...args, '--no-sandbox', '--no-zygote', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    headless: true,
    ...options,
  });
}
