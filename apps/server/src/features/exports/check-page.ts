import type { ExportRow } from './export-rows.ts';

function html(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

const COMMANDS = `sha256sum --check manifest.sha256
openssl pkeyutl -verify -pubin -inkey public-key.pem -rawin -in manifest.sha256 -sigfile manifest.sha256.sig`;

const ENGLISH = `<h2>How to check this export</h2>
<p>Unpack every part into the same folder. With Holdfast at hand, one command checks all of it, without a database and without a network:</p>
<pre>holdfast admin verify-export FOLDER</pre>
<p>It names each file that was changed, is missing or does not belong to the export. Without Holdfast:</p>
<pre>${COMMANDS}</pre>
<p>The first command compares the list of all files, <code>manifest.json</code>, with its hash; the second one says whether that hash was
signed with the key in <code>public-key.pem</code>. Compare the fingerprint of the key with the one that the page of exports in Holdfast shows:
a key that comes with an export proves nothing on its own.</p>
<pre>openssl pkey -pubin -in public-key.pem -outform DER | sha256sum</pre>
<p><code>manifest.json</code> has the size and the SHA-256 hash of each file, and what was asked for, when and by whom. <code>index.csv</code> and
<code>index.xml</code> list the items, <code>errors.csv</code> what could not be exported. An EML file has exactly the bytes that were kept. In a mailbox
file (mboxrd) lines that begin with <code>From&nbsp;</code> are quoted; the manifest has the hashes of the messages as they were.</p>`;

const GERMAN = `<h2>So prüfen Sie diesen Export</h2>
<p>Entpacken Sie alle Teile in denselben Ordner. Mit Holdfast prüft ein Befehl alles, ohne Datenbank und ohne Netz:</p>
<pre>holdfast admin verify-export ORDNER</pre>
<p>Er nennt jede Datei, die geändert wurde, fehlt oder nicht zum Export gehört. Ohne Holdfast:</p>
<pre>${COMMANDS}</pre>
<p>Der erste Befehl vergleicht die Liste aller Dateien, <code>manifest.json</code>, mit ihrem Hashwert; der zweite sagt, ob dieser Hashwert mit dem
Schlüssel in <code>public-key.pem</code> signiert wurde. Vergleichen Sie den Fingerabdruck des Schlüssels mit dem, den die Seite der Exporte in
Holdfast zeigt: Ein Schlüssel, der dem Export beiliegt, beweist für sich allein nichts.</p>
<pre>openssl pkey -pubin -in public-key.pem -outform DER | sha256sum</pre>
<p><code>manifest.json</code> enthält die Größe und den SHA-256-Hashwert jeder Datei und was wann von wem angefordert wurde. <code>index.csv</code> und
<code>index.xml</code> führen die Elemente auf, <code>errors.csv</code> nennt, was nicht exportiert werden konnte. Eine EML-Datei hat genau die Bytes,
die aufbewahrt wurden. In einer Postfachdatei (mboxrd) sind Zeilen, die mit <code>From&nbsp;</code> beginnen, maskiert; das Manifest enthält die
Hashwerte der ursprünglichen Nachrichten.</p>`;

/** The page in an export that explains how to check it, in both languages: nobody knows who will open it. */
export function checkPage({ name, query, owner, created_at: createdAt }: ExportRow): string {
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
<p><code>${html(query)}</code><br>${html(owner)} · ${createdAt.toISOString()}</p>
${ENGLISH}
<div lang="de">
${GERMAN}
</div>
</body>
</html>
`;
}
