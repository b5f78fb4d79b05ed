import { PartError } from '../part/document-part.ts';
import type { TextSink } from '../part/text-sink.ts';
import { walkXml } from './xml.ts';
import type { ZipFile } from './zip-file.ts';

const SPACES = new Map([
  ['p', '\n'],
  ['h', '\n'],
  ['s', ' '],
  ['tab', '\t'],
  ['line-break', '\n'],
  ['table-cell', '\t'],
]);
const TEXTS = new Set(['p', 'h']);

/** Texts, spreadsheets and presentations of OpenDocument. */
export async function readOpenDocument(zip: ZipFile, sink: TextSink): Promise<void> {
  const manifest = await zip.read('META-INF/manifest.xml');
  if (manifest && Buffer.from(manifest).includes('encryption-data')) throw new PartError('encrypted', 'it needs a password');
  for (const name of ['content.xml', 'styles.xml']) {
    const xml = await zip.read(name);
    if (xml) walkXml(xml, sink, { texts: TEXTS, spaces: SPACES });
  }
}
