#!/usr/bin/env node
/**
 * Searches the index of an export, on a machine without Holdfast. It reads the files in the folder "search" beside it and
 * nothing else. It needs Node 22.13 or later, or any Node from 18 on with the command sqlite3.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const HELP = {
  en: `Searches this export.

  node search.mjs WORD…                     mails and files with all of these words
  node search.mjs '"exact words"'           words that follow each other
  node search.mjs 'invoi*'                  words that begin so
  node search.mjs --from 2024-01-01 --to 2024-12-31 --account anna WORD…

  --account TEXT   only accounts whose name has this text
  --from, --to     only what was sent on these days or between them (UTC)
  --limit NUMBER   how many are shown; 50 without it
  --fts            the words are a query in the language of SQLite's FTS5: OR, NOT, NEAR, people:anna, attachments:pdf
  --json           one line of JSON for each`,
  de: `Durchsucht diesen Export.

  node search.mjs WORT…                     E-Mails und Dateien mit allen diesen Wörtern
  node search.mjs '"genaue Wörter"'         Wörter, die aufeinander folgen
  node search.mjs 'rechn*'                  Wörter, die so beginnen
  node search.mjs --from 2024-01-01 --to 2024-12-31 --account anna WORT…

  --account TEXT   nur Konten, deren Name diesen Text enthält
  --from, --to     nur was an diesen Tagen oder dazwischen gesendet wurde (UTC)
  --limit ZAHL     wie viele gezeigt werden; ohne Angabe 50
  --fts            die Wörter sind eine Abfrage in der Sprache von FTS5 in SQLite: OR, NOT, NEAR, people:anna, attachments:pdf
  --json           je Treffer eine Zeile JSON`,
};
const SAYS = {
  en: {
    found: (shown, all) => `${all} found${shown < all ? `, ${shown} shown; --limit shows more` : ''}.`,
    cut: 'only the beginning of its text is in the index',
    noIndex: 'There is no folder "search" beside this program: unpack every part of the export into one folder.',
    noSqlite: 'This Node has no SQLite. Install Node 22.13 or later, or the command sqlite3.',
    badQuery: (why) => `The query was not understood: ${why}`,
  },
  de: {
    found: (shown, all) => `${all} gefunden${shown < all ? `, ${shown} gezeigt; --limit zeigt mehr` : ''}.`,
    cut: 'nur der Anfang des Textes ist im Index',
    noIndex: 'Neben diesem Programm gibt es keinen Ordner "search": Entpacken Sie alle Teile des Exports in einen Ordner.',
    noSqlite: 'Dieses Node hat kein SQLite. Installieren Sie Node 22.13 oder neuer oder den Befehl sqlite3.',
    badQuery: (why) => `Die Abfrage wurde nicht verstanden: ${why}`,
  },
};

const folder = join(dirname(fileURLToPath(import.meta.url)), 'search');
const language = Intl.DateTimeFormat().resolvedOptions().locale.startsWith('de') ? 'de' : 'en';
const says = SAYS[language];

const print = (line) => void process.stdout.write(`${line}\n`);

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

const text = (value) => `'${String(value).replaceAll("'", "''")}'`;

/** Words as the index takes them, each a text of its own: no sign in them is read as anything else. */
function queryOf(words) {
  const parts = words.join(' ').match(/"[^"]*"|\S+/gu) ?? [];
  return parts
    .map((part) => {
      const isBeginning = part.length > 1 && part.endsWith('*') && !part.startsWith('"');
      const word = part.replace(/^"|"$/gu, '').replaceAll('"', '');
      return isBeginning ? `"${word.slice(0, -1)}" *` : `"${word}"`;
    })
    .join(' ');
}

/** Node's own SQLite where it has one, else the command. */
async function opener() {
  try {
    const { DatabaseSync } = await import('node:sqlite');
    return (file, sql) => {
      const database = new DatabaseSync(file, { readOnly: true });
      try {
        return database.prepare(sql).all();
      } finally {
        database.close();
      }
    };
  } catch {
    return (file, sql) => {
      try {
        const told = execFileSync('sqlite3', ['-readonly', '-json', file, sql], { encoding: 'utf8', maxBuffer: 2 ** 28, stdio: 'pipe' });
        return told.trim() === '' ? [] : JSON.parse(told);
      } catch (error) {
        if (error.code === 'ENOENT') fail(says.noSqlite);
        throw new Error(String(error.stderr || error.message).trim(), { cause: error });
      }
    };
  }
}

function conditionOf(query, { account, from, to }) {
  const parts = [`words match ${text(query)}`];
  if (account !== undefined) parts.push(`instr(lower(item.account), lower(${text(account)})) > 0`);
  if (from !== undefined) parts.push(`substr(item.sent, 1, 10) >= ${text(from)}`);
  if (to !== undefined) parts.push(`substr(item.sent, 1, 10) <= ${text(to)}`);
  return parts.join(' and ');
}

const found = (condition, limit) => `
  select item.sent, item.sender, item.name, item.account, item.file, item.is_cut, words.rank as "rank",
    snippet(words, -1, '[', ']', ' … ', 16) as passage
  from words join item on item.id = words.rowid where ${condition} order by words.rank, item.id limit ${limit}`;
const counted = (condition) => `select count(*) as hits from words join item on item.id = words.rowid where ${condition}`;

/** The best of all files of the index, and how many there are. */
function search(ask, condition, limit) {
  let all = 0;
  let best = [];
  for (const name of readdirSync(folder)
    .filter((one) => one.endsWith('.sqlite'))
    .sort()) {
    const file = join(folder, name);
    all += Number(ask(file, counted(condition))[0]?.hits ?? 0);
    best = [...best, ...ask(file, found(condition, limit))].sort((a, b) => a.rank - b.rank).slice(0, limit);
  }
  return { all, best };
}

function show({ sent, sender, name, account, file, is_cut: isCut, passage }) {
  const when = String(sent ?? '')
    .slice(0, 16)
    .replace('T', ' ');
  print([when, sender, name].filter((one) => one !== '').join('  '));
  print(`    ${file}`);
  const said = String(passage ?? '')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  if (said !== '') print(`    ${said}`);
  if (isCut) print(`    (${says.cut})`);
  if (account !== '' && !String(file).startsWith(account)) print(`    ${account}`);
}

const options = {
  account: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  limit: { type: 'string', default: '50' },
  fts: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
};
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const limit = Number(values.limit);
if (values.help || positionals.length === 0 || !Number.isSafeInteger(limit) || limit < 1) {
  print(HELP[language]);
  process.exit(values.help ? 0 : 2);
}
if (!existsSync(folder)) fail(says.noIndex);
const ask = await opener();
try {
  const condition = conditionOf(values.fts ? positionals.join(' ') : queryOf(positionals), values);
  const { all, best } = search(ask, condition, limit);
  for (const one of best) {
    if (values.json) print(JSON.stringify(one));
    else show(one);
  }
  if (!values.json) print(says.found(best.length, all));
} catch (error) {
  fail(says.badQuery(error.message));
}
