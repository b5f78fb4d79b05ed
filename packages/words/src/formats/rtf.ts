import type { TextSink } from '../part/text-sink.ts';

/** Destinations that hold no text of the document. */
const UNSEEN = new Set([
  'fonttbl',
  'colortbl',
  'stylesheet',
  'pict',
  'object',
  'themedata',
  'datastore',
  'listtable',
  'rsidtbl',
  'generator',
  'latentstyles',
  'xmlnstbl',
  'fldinst',
  'bkmkstart',
  'bkmkend',
]);
const SIGNS: Readonly<Record<string, string>> = {
  par: '\n',
  line: '\n',
  page: '\n',
  sect: '\n',
  row: '\n',
  cell: '\t',
  tab: '\t',
  emdash: '—',
  endash: '–',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  bullet: '•',
};
const TOKEN = /\\([a-z]+)(-?\d+)? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|([^\\{}\r\n]+)|[\r\n]+/giu;

interface Group {
  isUnseen: boolean;
  /** Characters that stand in for one in Unicode, for readers that know none. */
  skip: number;
}

function decoderOf(rtf: string): (byte: number) => string {
  const codePage = /\\ansicpg(\d+)/u.exec(rtf)?.[1] ?? '1252';
  let decoder = new TextDecoder('windows-1252');
  try {
    decoder = new TextDecoder(`windows-${codePage}`);
  } catch {
    // A code page that nobody here knows: its letters may be wrong, its digits are right.
  }
  return (byte) => decoder.decode(Uint8Array.of(byte));
}

/** What the tokens of a file show, group by group. */
function createPage(sink: TextSink) {
  const outside: Group = { isUnseen: false, skip: 1 };
  const groups: Group[] = [];
  let group: Group = { ...outside };
  let toSkip = 0;
  function write(text: string): void {
    if (!group.isUnseen && text !== '') sink.text(text);
  }
  return {
    show(text: string): void {
      write(text.slice(toSkip));
      toSkip = Math.max(0, toSkip - text.length);
    },
    brace(brace: string): void {
      toSkip = 0;
      if (brace === '{') groups.push({ ...group });
      else group = groups.pop() ?? { ...outside };
    },
    command(word: string, argument: number): void {
      if (UNSEEN.has(word)) group.isUnseen = true;
      if (word === 'uc') group.skip = argument;
      if (word === 'u') {
        write(String.fromCharCode(argument < 0 ? argument + 65_536 : argument));
        toSkip = group.skip;
      }
      write(SIGNS[word] ?? '');
    },
    sign(sign: string): void {
      if (sign === '*') group.isUnseen = true;
      else if (sign !== '-') write(sign === '~' ? '\u00a0' : sign);
    },
  };
}

/** Rich text. */
export function readRtf(bytes: Uint8Array, sink: TextSink): void {
  const rtf = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const decoded = decoderOf(rtf);
  const page = createPage(sink);
  for (const [, word, argument, hex, sign, brace, plain] of rtf.matchAll(TOKEN)) {
    if (brace !== undefined) page.brace(brace);
    else if (word !== undefined) page.command(word.toLowerCase(), Number(argument ?? 1));
    else if (hex !== undefined) page.show(decoded(Number.parseInt(hex, 16)));
    else if (sign !== undefined) page.sign(sign);
    else if (plain !== undefined) page.show(plain);
  }
}
