import type { TextSink } from '../part/text-sink.ts';
import { walkXml } from './xml.ts';
import type { ZipFile } from './zip-file.ts';

const BREAKS = new Map([
  ['p', '\n'],
  ['br', '\n'],
  ['cr', '\n'],
  ['tab', '\t'],
  ['tc', '\t'],
]);
const RUNS = new Set(['t', 'delText']);

function numberIn(name: string): number {
  return Number(/(\d{1,9})\.xml$/u.exec(name)?.[1] ?? 0);
}

/** Parts of a package that match, in the order of their numbers. */
function partsOf(zip: ZipFile, pattern: RegExp): readonly string[] {
  return zip.names.filter((name) => pattern.test(name)).sort((a, b) => numberIn(a) - numberIn(b));
}

async function readRuns(zip: ZipFile, sink: TextSink, pattern: RegExp): Promise<void> {
  for (const name of partsOf(zip, pattern)) {
    const xml = await zip.read(name);
    if (xml) walkXml(xml, sink, { texts: RUNS, spaces: BREAKS });
    sink.text('\n');
  }
}

/** Word: the text, then notes, comments, headers and footers. */
export async function readDocx(zip: ZipFile, sink: TextSink): Promise<void> {
  await readRuns(zip, sink, /^word\/document\d*\.xml$/u);
  await readRuns(zip, sink, /^word\/(?:footnotes|endnotes|comments|header\d*|footer\d*)\.xml$/u);
}

/** PowerPoint: the slides, then their notes and comments. */
export async function readPptx(zip: ZipFile, sink: TextSink): Promise<void> {
  await readRuns(zip, sink, /^ppt\/slides\/slide\d+\.xml$/u);
  await readRuns(zip, sink, /^ppt\/(?:notesSlides\/notesSlide\d+|comments\/[^/]+)\.xml$/u);
}

async function sharedStrings(zip: ZipFile): Promise<readonly string[]> {
  const xml = await zip.read('xl/sharedStrings.xml');
  const strings: string[] = [];
  if (!xml) return strings;
  let current = '';
  let isPhonetic = false;
  walkXml(
    xml,
    { text: () => undefined },
    {
      texts: new Set(['t']),
      open(name) {
        if (name === 'si') current = '';
        if (name === 'rPh') isPhonetic = true;
      },
      close(name) {
        if (name === 'si') strings.push(current);
        if (name === 'rPh') isPhonetic = false;
      },
      text(piece) {
        if (!isPhonetic) current += piece;
      },
    },
  );
  return strings;
}

function readSheet(xml: Uint8Array, sink: TextSink, strings: readonly string[]): void {
  let type = '';
  let value = '';
  walkXml(xml, sink, {
    texts: new Set(['v', 't']),
    open(name, attributes) {
      if (name !== 'c') return;
      type = attributes['t'] ?? '';
      value = '';
    },
    close(name) {
      if (name === 'row') sink.text('\n');
      if (name !== 'c' || value === '') return;
      sink.text(`${type === 's' ? (strings[Number(value)] ?? '') : value}\t`);
    },
    text: (piece) => void (value += piece),
  });
}

/** Excel: the names of the sheets, each sheet row by row, then comments and the texts of drawings. */
export async function readXlsx(zip: ZipFile, sink: TextSink): Promise<void> {
  const workbook = await zip.read('xl/workbook.xml');
  if (workbook)
    walkXml(workbook, sink, { texts: new Set(), open: (name, { name: title }) => name === 'sheet' && title && sink.text(`${title}\n`) });
  const strings = await sharedStrings(zip);
  for (const name of partsOf(zip, /^xl\/worksheets\/[^/]+\.xml$/u)) {
    const xml = await zip.read(name);
    if (xml) readSheet(xml, sink, strings);
  }
  await readRuns(zip, sink, /^xl\/(?:comments\d*|threadedComments\/[^/]+|drawings\/drawing\d+)\.xml$/u);
}
