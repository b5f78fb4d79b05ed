import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create } from 'fontkit';

export type FontName = 'regular' | 'bold';

export interface PaperFonts {
  readonly files: Readonly<Record<FontName, Buffer>>;
  /** The text with a question mark for each character that the fonts have no glyph for. */
  printable(text: string): string;
}

const require = createRequire(import.meta.url);

/** The fonts that every paper embeds: Latin, Greek and Cyrillic. */
export function loadFonts(): PaperFonts {
  const files = {
    regular: readFileSync(require.resolve('roboto-fontface/fonts/roboto/Roboto-Regular.woff')),
    bold: readFileSync(require.resolve('roboto-fontface/fonts/roboto/Roboto-Bold.woff')),
  };
  const font = create(files.regular);
  const known = new Set('characterSet' in font ? font.characterSet : []);
  return Object.freeze<PaperFonts>({
    files,
    printable(text) {
      const isKnown = (char: string): boolean => known.has(char.codePointAt(0) ?? 0);
      const flat = text.normalize('NFC').replaceAll(/\s+/g, ' ');
      return Array.from(flat, (char) => (isKnown(char) ? char : '?')).join('');
    },
  });
}
