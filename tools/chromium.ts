import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import sparticuz from '@sparticuz/chromium';
import { chromium, type Browser, type LaunchOptions } from 'playwright-core';
import { layOutFonts } from './chromium-fonts.ts';

/**
 * Unpacks the browser beside the other caches of this checkout. Its package would take what lies under a fixed name in the
 * folder for temporary files, which may be somebody else's on a machine of several users.
 */
export async function unpackChromium(): Promise<string> {
  const { TMPDIR: before } = process.env;
  const folder = path.resolve(import.meta.dirname, '../node_modules/.cache/chromium');
  await mkdir(folder, { recursive: true });
  process.env['TMPDIR'] = folder;
  try {
    return await sparticuz.executablePath();
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
}

/** This Chromium crashes (SIGSEGV) in a start now and then, before it has opened anything: then it is started again. */
async function launch(options: LaunchOptions, starts = 3): Promise<Browser> {
  try {
    return await chromium.launch(options);
  } catch (error) {
    if (starts === 1 || !String(error).includes('SIGSEGV')) throw error;
    return launch(options, starts - 1);
  }
}

/** The Chromium and the font that come through npm: it runs as root too, without a sandbox, and looks nothing up. */
export async function launchChromium(): Promise<Browser> {
  // A browser of one process dies as a whole with one page; journeys want pages apart. And what draws with a graphics card that
  // is only emulated takes twice the time of what draws without one.
  const args = sparticuz.args.filter((arg) => !/single-process|zygote|gl=|angle=|swiftshader|gpu-blocklist/.test(arg));
  const fonts = await layOutFonts();
  const browser = await launch({
    executablePath: await unpackChromium(),
    args: [
      ...args,
      '--disable-gpu',
      '--no-sandbox',
      '--no-zygote',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
    headless: true,
    env: { ...process.env, FONTCONFIG_FILE: fonts },
  });
  browser.on('disconnected', () => void rm(path.dirname(fonts), { recursive: true, force: true }));
  return browser;
}
