import type { ItemWords } from '@holdfast/engine';
import { DatabaseSync } from 'node:sqlite';
import type { IndexedItem } from './export-rows.ts';

/** An item with what it says; without words where they could not be read. */
export interface Said {
  readonly item: IndexedItem;
  readonly words: ItemWords | undefined;
}

/** Signs of text that one item, and one file, takes at most: the file is put together in memory. */
const MOST_OF_AN_ITEM = 1_000_000;
const MOST_OF_A_FILE = 16_000_000;
const PIECE_BYTES = 1024 * 1024;

const SCHEMA = `
  pragma page_size = 4096;
  create table item (
    id integer primary key, file text not null, account text not null, folder text not null, kind text not null, name text not null,
    sender text not null, sent text, received text, size integer not null, sha256 text, message_id text not null,
    is_cut integer not null
  );
  create virtual table words using fts5 (name, people, attachments, text, tokenize = "unicode61 remove_diacritics 2");
`;
const ADD_ITEM = 'insert into item values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)';
const ADD_WORDS = 'insert into words (rowid, name, people, attachments, text) values (?, ?, ?, ?, ?)';

/** As much of a text as there is room for. */
function cutText({ text, attachmentTexts }: ItemWords, most: number): { readonly text: string; readonly isCut: boolean } {
  let kept = '';
  for (const one of [text, ...attachmentTexts.map((attached) => attached.text)]) {
    if (one === '') continue;
    const room = most - kept.length;
    if (one.length + 1 > room) return { text: (kept + one.slice(0, Math.max(room - 1, 0))).toWellFormed(), isCut: true };
    kept += `${one}\n`;
  }
  return { text: kept, isCut: false };
}

/** The header names the version of the library that wrote a file last. It would be all that tells two runs apart. */
const VERSION_AT = 96;

function withoutVersion(file: Uint8Array): Uint8Array {
  new DataView(file.buffer, file.byteOffset).setUint32(VERSION_AT, 0);
  return file;
}

function open(): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  database.exec(SCHEMA);
  return database;
}

/** A SQLite file with a full-text index (FTS5) of items, put together in memory. The same items give the same bytes. */
export async function* indexFile(all: AsyncIterable<Said>): AsyncGenerator<Uint8Array, void, undefined> {
  const database = open();
  try {
    const addItem = database.prepare(ADD_ITEM);
    const addWords = database.prepare(ADD_WORDS);
    let room = MOST_OF_A_FILE;
    database.exec('begin');
    for await (const { item, words } of all) {
      const { text, isCut } = words ? cutText(words, Math.min(room, MOST_OF_AN_ITEM)) : { text: '', isCut: false };
      room -= text.length;
      const { item_no: id, account, folder, kind, name, sender, sent_at: sent, received_at: received } = item;
      const place = [item.path ?? '', account, folder, kind, name] as const;
      addItem.run(id, ...place, sender, sent, received, item.size_bytes, item.sha256, item.message_id, Number(isCut));
      const people = words ? [...words.from, ...words.to, ...words.cc, ...words.bcc] : [sender];
      addWords.run(id, name, people.join('\n'), (words?.attachments ?? []).join('\n'), text);
    }
    database.exec("insert into words (words) values ('optimize'); commit; vacuum;");
    const file = withoutVersion(database.serialize());
    for (let from = 0; from < file.byteLength; from += PIECE_BYTES) yield file.subarray(from, from + PIECE_BYTES);
  } finally {
    database.close();
  }
}
