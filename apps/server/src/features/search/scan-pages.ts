import type { DrawingProblem, Previewer } from '@holdfast/previews';
import type { ScanProblem, ScanReader, ScanText } from '@holdfast/words';

/** Why the words of a document were not recognised. */
export type PagesProblem = DrawingProblem | ScanProblem;
export type PagesText = ScanText | { readonly problem: PagesProblem };

export interface ScanPages {
  /** What all pages of a document show, a form feed after each but the last. Asks before each page whether to go on. */
  read(bytes: Uint8Array, isWanted: () => Promise<boolean>): Promise<PagesText | 'stopped'>;
}

/** Text of one document, as of every other that is read. */
const MOST_CHARACTERS = 20_000_000;

/** Draws each page and recognises its words. Both happen in processes that are ended when they take too long or too much. */
export function createScanPages(previewer: Pick<Previewer, 'page'>, scans: Pick<ScanReader, 'read'>): ScanPages {
  async function readPage(
    bytes: Uint8Array,
    page: number,
  ): Promise<{ readonly text: string; readonly pages: number } | { readonly problem: PagesProblem }> {
    const drawing = await previewer.page({ bytes, page, size: 'scan' });
    if ('problem' in drawing) return drawing;
    const { picture, pages } = drawing.drawn;
    const found = await scans.read(picture);
    return 'problem' in found ? found : { text: found.text, pages };
  }

  return Object.freeze<ScanPages>({
    async read(bytes, isWanted) {
      const texts: string[] = [];
      let pages = 1;
      let characters = 0;
      for (let page = 1; page <= pages; page += 1) {
        if (!(await isWanted())) return 'stopped';
        const found = await readPage(bytes, page);
        if ('problem' in found) return found;
        pages = found.pages;
        characters += found.text.length;
        if (characters > MOST_CHARACTERS) return { problem: 'too-large' };
        texts.push(found.text);
      }
      return { text: texts.join('\f') };
    },
  });
}
