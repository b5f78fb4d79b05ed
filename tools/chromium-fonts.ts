import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

const BLOCK = 512;

interface Packed {
  readonly name: string;
  readonly content: Buffer;
}

const textAt = (block: Buffer, from: number, to: number): string => block.toString('latin1', from, to).replace(/\0.*$/s, '');

/** The files of a tar archive. */
function unpack(archive: Buffer): readonly Packed[] {
  const files: Packed[] = [];
  for (let at = 0; at + BLOCK <= archive.length && archive[at] !== 0;) {
    const name = textAt(archive, at, at + 100);
    const size = Number.parseInt(textAt(archive, at + 124, at + 136), 8) || 0;
    files.push({ name, content: archive.subarray(at + BLOCK, at + BLOCK + size) });
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}

/** Every family is the one font that is there, drawn without what a screen or a desktop would add. */
const configurationOf = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}</dir>
  <cachedir>${folder}/cache</cachedir>
  <match target="pattern"><edit name="family" mode="assign" binding="strong"><string>Open Sans</string></edit></match>
  <match target="font">
    <edit name="antialias" mode="assign"><bool>true</bool></edit>
    <edit name="hinting" mode="assign"><bool>false</bool></edit>
    <edit name="autohint" mode="assign"><bool>false</bool></edit>
    <edit name="rgba" mode="assign"><const>none</const></edit>
  </match>
</fontconfig>
`;

/**
 * Lays out the fonts that come through npm beside the browser, and no others: text is as wide and looks the same whatever
 * is installed on the machine. Answers the configuration that says so.
 */
export async function layOutFonts(): Promise<string> {
  const packed = path.join(path.dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '../bin/fonts.tar.br');
  const folder = await mkdtemp(path.join(tmpdir(), 'holdfast-fonts-'));
  for (const { name, content } of unpack(brotliDecompressSync(await readFile(packed)))) {
    if (name.endsWith('.ttf')) await writeFile(path.join(folder, path.basename(name)), content);
  }
  await mkdir(path.join(folder, 'cache'));
  const configuration = path.join(folder, 'fonts.conf');
  await writeFile(configuration, configurationOf(folder));
  return configuration;
}
