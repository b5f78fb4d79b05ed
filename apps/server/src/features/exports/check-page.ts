import type { ExportFormat } from '@holdfast/contract/exports';
import type { ExportRow } from './export-rows.ts';

function html(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

const COMMANDS = `sha256sum --check manifest.sha256
openssl pkeyutl -verify -pubin -inkey public-key.pem -rawin -in manifest.sha256 -sigfile manifest.sha256.sig`;

/** What is in an export besides, by its format. */
const ENGLISH_OF: Readonly<Record<ExportFormat, string>> = {
  eml: '',
  mbox: '',
  loadFile: `<h2>Load file</h2>
<p><code>loadfile.dat</code> lists a document a line for review tools: UTF-8 with a byte order mark, U+0014 between fields, <code>þ</code> around
them, <code>®</code> for a line end. <code>NATIVES</code> has the documents as they are kept, <code>TEXT</code> what they say. Since the form has no way to
write these signs as themselves, a field says <code>th</code>, <code>(R)</code> and a space instead; <code>index.csv</code> has the text as it is.</p>`,
  z3: `<h2>Tax audit</h2>
<p><code>index.xml</code> describes <code>documents.csv</code> by the standard of German tax audits (September 2004), for programs such as IDEA.
Its definition, <code>gdpdu-01-09-2004.dtd</code>, belongs to its authors and is not part of this export: put it beside
<code>index.xml</code> if your program asks for it.</p>`,
  searchable: `<h2>Search</h2>
<p><code>node search.mjs WORDS</code> searches this export without Holdfast and without a network; without words it says what it can do. It needs
Node 22.13 or later, or an older one and the command <code>sqlite3</code>. The files in <code>search</code> are SQLite databases with a full-text
index (FTS5), which any program for SQLite opens.</p>`,
};

const GERMAN_OF: Readonly<Record<ExportFormat, string>> = {
  eml: '',
  mbox: '',
  loadFile: `<h2>Ladedatei</h2>
<p><code>loadfile.dat</code> führt für Sichtungsprogramme je Zeile ein Dokument auf: UTF-8 mit Bytereihenfolge-Marke, U+0014 zwischen den Feldern,
<code>þ</code> um sie herum, <code>®</code> als Zeilenende. <code>NATIVES</code> enthält die Dokumente, wie sie aufbewahrt werden, <code>TEXT</code> ihren
Text. Weil die Form diese Zeichen nicht als solche schreiben kann, steht in einem Feld stattdessen <code>th</code>, <code>(R)</code> und ein
Leerzeichen; <code>index.csv</code> enthält den Text unverändert.</p>`,
  z3: `<h2>Betriebsprüfung</h2>
<p><code>index.xml</code> beschreibt <code>documents.csv</code> nach dem Beschreibungsstandard für die Datenträgerüberlassung (September 2004), für
Programme wie IDEA. Dessen Definition <code>gdpdu-01-09-2004.dtd</code> gehört ihren Urhebern und ist nicht Teil dieses Exports: Legen Sie sie
neben <code>index.xml</code>, wenn Ihr Programm danach fragt.</p>`,
  searchable: `<h2>Suchen</h2>
<p><code>node search.mjs WÖRTER</code> durchsucht diesen Export ohne Holdfast und ohne Netz; ohne Wörter sagt es, was es kann. Es braucht Node 22.13
oder neuer, oder ein älteres und den Befehl <code>sqlite3</code>. Die Dateien in <code>search</code> sind SQLite-Datenbanken mit einem Volltextindex
(FTS5), die jedes Programm für SQLite öffnet.</p>`,
};

const ENGLISH = `<h2>How to check this export</h2>
<p>Unpack every part into the same folder. With Holdfast at hand, one command checks all of it, without a database and without a network:</p>
<pre>holdfast admin verify-export FOLDER</pre>
<p>It names each file that was changed, is missing or does not belong to the export. Without Holdfast:</p>
<pre>${COMMANDS}</pre>
<p>The first command compares the list of all files, <code>manifest.json</code>, with its hash; the second one says whether that hash was
signed with the key in <code>public-key.pem</code>. Compare the fingerprint of the key with the one that the page of exports in Holdfast shows:
a key that comes with an export proves nothing on its own.</p>
<pre>openssl pkey -pubin -in public-key.pem -outform DER | sha256sum</pre>
<p><code>manifest.json</code> has the size and the SHA-256 hash of each file, and what was asked for, when and by whom. The files beside this
page list the items, <code>errors.csv</code> what could not be exported. An EML file has exactly the bytes that were kept. In a mailbox
file (mboxrd) lines that begin with <code>From&nbsp;</code> are quoted; the manifest has the hashes of the messages as they were.</p>`;

const ENGLISH_OF_CASES = `<p>Beside each message of a chat or channel there is a transcript, <code>… - conversation.html</code>: the message, marked as the hit, with
what was said around it. It says where it begins and ends and what may be missing. It is made from the kept messages and is no original.</p>`;

const GERMAN = `<h2>So prüfen Sie diesen Export</h2>
<p>Entpacken Sie alle Teile in denselben Ordner. Mit Holdfast prüft ein Befehl alles, ohne Datenbank und ohne Netz:</p>
<pre>holdfast admin verify-export ORDNER</pre>
<p>Er nennt jede Datei, die geändert wurde, fehlt oder nicht zum Export gehört. Ohne Holdfast:</p>
<pre>${COMMANDS}</pre>
<p>Der erste Befehl vergleicht die Liste aller Dateien, <code>manifest.json</code>, mit ihrem Hashwert; der zweite sagt, ob dieser Hashwert mit dem
Schlüssel in <code>public-key.pem</code> signiert wurde. Vergleichen Sie den Fingerabdruck des Schlüssels mit dem, den die Seite der Exporte in
Holdfast zeigt: Ein Schlüssel, der dem Export beiliegt, beweist für sich allein nichts.</p>
<pre>openssl pkey -pubin -in public-key.pem -outform DER | sha256sum</pre>
<p><code>manifest.json</code> enthält die Größe und den SHA-256-Hashwert jeder Datei und was wann von wem angefordert wurde. Die
Dateien neben dieser Seite führen die Elemente auf, <code>errors.csv</code> nennt, was nicht exportiert werden konnte. Eine EML-Datei hat genau die Bytes,
die aufbewahrt wurden. In einer Postfachdatei (mboxrd) sind Zeilen, die mit <code>From&nbsp;</code> beginnen, maskiert; das Manifest enthält die
Hashwerte der ursprünglichen Nachrichten.</p>`;

const GERMAN_OF_CASES = `<p>Neben jeder Nachricht eines Chats oder Kanals liegt eine Niederschrift, <code>… - conversation.html</code>: die als Treffer („hit“)
gekennzeichnete Nachricht mit dem, was um sie herum geschrieben wurde. Sie nennt Anfang, Ende und mögliche Lücken. Sie ist aus den aufbewahrten
Nachrichten erzeugt und kein Original.</p>`;

/**
 * The page in an export that explains how to check it, in both languages: nobody knows who will open it. It names no time, so that two
 * exports of one list have the same page.
 */
export function checkPage({ name, query, owner, format, case_id: caseId }: ExportRow): string {
  const isOfCase = caseId !== null && format !== 'z3';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${html(name)}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:48rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b;background:#fff}
pre{background:#f3f3f3;padding:.75rem;overflow:auto}</style>
</head>
<body>
<h1>${html(name)}</h1>
<p><code>${html(query)}</code><br>${html(owner)}</p>
${ENGLISH}${isOfCase ? ENGLISH_OF_CASES : ''}${ENGLISH_OF[format]}
<div lang="de">
${GERMAN}${isOfCase ? GERMAN_OF_CASES : ''}${GERMAN_OF[format]}
</div>
</body>
</html>
`;
}
