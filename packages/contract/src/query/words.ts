/** Writing without spaces between words; its words are pairs of neighbouring characters. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
/** Longer words are cut alike in the index and in queries: a line of encoded bytes is no word. */
const longestWord = 200;
const wordPattern = /[\p{L}\p{N}\p{M}]+/gu;

/** Most words of most texts: none of what follows changes them, and they cost a tenth. */
const plain = /^[a-z0-9]+$/i;

/** Letters that Unicode does not split into a plain letter and a mark. */
const spelledOut: Readonly<Record<string, string>> = { ß: 'ss', ı: 'i', ø: 'o', ł: 'l', đ: 'd' };
const unsplit = /[ßıøłđ]/gu;

/** One case and no accents: `Müller` and `MULLER` are one word, `ß` is `ss`. */
export function fold(text: string): string {
  if (plain.test(text)) return text.toLowerCase();
  const bare = text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '');
  return bare.replaceAll(unsplit, (letter) => spelledOut[letter] ?? letter);
}

function* pairsOf(run: string): Generator<string> {
  const characters = Array.from(run);
  if (characters.length === 1) yield run;
  for (let i = 0; i + 1 < characters.length; i++) yield `${characters[i]}${characters[i + 1]}`;
}

/** Separates the unspaced parts of a word from the rest: `A社の` is `a` and two pairs. */
function* piecesOf(word: string): Generator<string> {
  if (!unspaced.test(word)) {
    yield word;
    return;
  }
  let run = '';
  let isUnspaced = false;
  for (const character of word) {
    const now = unspaced.test(character);
    if (run && now !== isUnspaced) {
      yield* isUnspaced ? pairsOf(run) : [run];
      run = '';
    }
    isUnspaced = now;
    run += character;
  }
  if (run) yield* isUnspaced ? pairsOf(run) : [run];
}

/** The words of a long text are not all in memory at a time. */
const stretch = 32_768;
const noWord = /[^\p{L}\p{N}\p{M}]/gu;

/** A text in stretches, none of which ends within a word. */
function* stretchesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    noWord.lastIndex = from + stretch;
    const to = noWord.exec(text)?.index ?? text.length;
    yield text.slice(from, to);
    from = to;
  }
}

/** The words of a text in order, as the index and every query know them. */
export function* wordsOf(text: string): Generator<string> {
  for (const part of stretchesOf(text.normalize('NFKC'))) {
    // All of a stretch at once: a match with its place for each word would cost more than all the rest.
    for (const word of part.match(wordPattern) ?? []) {
      const folded = fold(word).slice(0, longestWord);
      if (plain.test(folded)) yield folded;
      else if (folded) yield* piecesOf(folded);
    }
  }
}

/** The words of a text as it is written, each with its place in it. */
export function* placedWordsOf(text: string): Generator<{ readonly word: string; readonly from: number; readonly to: number }> {
  for (const match of text.matchAll(wordPattern)) {
    const [written] = match;
    const place = { from: match.index, to: match.index + written.length };
    for (const word of wordsOf(written)) yield { word, ...place };
  }
}

/** A word of a query with `ä`, `ö` or `ü` is also looked for with `ae`, `oe`, `ue`. */
export function spellingsOf(word: string): readonly string[] {
  const spelled = word.normalize('NFC').replaceAll(/[äöüÄÖÜ]/gu, (letter) => `${fold(letter)}e`);
  return [...new Set([word, spelled])];
}

/** Whether a word is a single character of an unspaced script, which finds pairs that begin with it. */
export function isSinglePair(word: string): boolean {
  return Array.from(word).length === 1 && unspaced.test(word);
}
