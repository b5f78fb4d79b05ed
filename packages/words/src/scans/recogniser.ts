import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

/** What is used of Tesseract, compiled to WebAssembly. It reads files of a file system in memory. */
interface Tesseract {
  readonly FS: { writeFile(path: string, bytes: Uint8Array): void; unlink(path: string): void };
  readonly TessBaseAPI: new () => {
    /** 0 when the languages were loaded. */
    Init(dataPath: null, languages: string): number;
    SetVariable(name: string, value: string): boolean;
    /** Takes `/input`; 0 when it is a picture. */
    SetImageFile(angle: number, isUpscaled: boolean): number;
    Recognize(monitor: null): number;
    GetUTF8Text(): string;
    Clear(): void;
  };
}

/** Recognises the words of pictures. */
export interface Recogniser {
  /** Throws for what is no picture. */
  read(picture: Uint8Array): string;
}

const require = createRequire(import.meta.url);
/** German alone reads English as well, English alone loses words with umlauts: see ADR 0115. */
const languages = [
  ['deu', require.resolve('@tesseract.js-data/deu/4.0.0_best_int/deu.traineddata.gz')],
  ['eng', require.resolve('@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz')],
] as const;
/** Finds the blocks of a page by itself. */
const WHOLE_PAGES = '3';
const INPUT = '/input';

async function load(): Promise<Tesseract> {
  const start = require('tesseract.js-core/tesseract-core-simd-lstm.js') as (options: object) => Promise<Tesseract>;
  // It prints what it thinks of a picture; nobody reads it.
  const tesseract = await start({ print: () => undefined, printErr: () => undefined });
  for (const [language, file] of languages)
    tesseract.FS.writeFile(`${language}.traineddata`, await promisify(gunzip)(await readFile(file)));
  return tesseract;
}

/** Loads Tesseract with English and German. Runs where it may be killed. */
export async function openRecogniser(): Promise<Recogniser> {
  const tesseract = await load();
  const api = new tesseract.TessBaseAPI();
  if (api.Init(null, languages.map(([language]) => language).join('+')) !== 0) throw new Error('the languages could not be loaded');
  api.SetVariable('tessedit_pageseg_mode', WHOLE_PAGES);
  return {
    read(picture) {
      tesseract.FS.writeFile(INPUT, picture);
      try {
        if (api.SetImageFile(0, false) !== 0) throw new Error('it is no picture');
        api.Recognize(null);
        return api.GetUTF8Text();
      } finally {
        tesseract.FS.unlink(INPUT);
        api.Clear();
      }
    },
  };
}
