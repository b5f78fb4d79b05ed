import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { measureProcess } from '../competitors/process.ts';

/** What a program that indexes mail on disk took for the same messages. */
export interface PeerFigures {
  readonly messagesPerSecond: number;
  readonly newest50P95Ms: number;
  readonly countP95Ms: number;
  readonly wildcardP95Ms: number;
  /** Index over raw bytes. */
  readonly disk: number;
}

export interface PeerWork {
  readonly folder: string;
  readonly messages: number;
  readonly rawBytes: number;
  readonly words: readonly string[];
}

/** The messages as a maildir: where both programs find them. */
export function writeMaildir(folder: string, count: number, mime: (number: number) => Buffer): PeerWork['rawBytes'] {
  for (const name of ['cur', 'new', 'tmp']) mkdirSync(path.join(folder, 'mail', name), { recursive: true });
  let bytes = 0;
  for (let number = 0; number < count; number += 1) {
    const data = mime(number);
    bytes += data.byteLength;
    writeFileSync(path.join(folder, 'mail', 'cur', `${number}.bench:2,S`), data);
  }
  return bytes;
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(path.join(folder, name)))
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + entry.size, 0);
}

function p95(seconds: readonly number[]): number {
  const sorted = seconds.toSorted((a, b) => a - b);
  return Number(((sorted[Math.floor(sorted.length * 0.95)] ?? sorted.at(-1) ?? 0) * 1_000).toFixed(1));
}

async function times(words: readonly string[], run: (word: string) => ReturnType<typeof measureProcess>): Promise<number> {
  const taken: number[] = [];
  for (const word of words) taken.push((await run(word))?.seconds ?? 0);
  return p95(taken);
}

/** notmuch: parses and indexes a maildir; each search is a process, as it is used. Undefined where it is not installed. */
export async function measureNotmuch({ folder, messages, rawBytes, words }: PeerWork): Promise<PeerFigures | undefined> {
  const config = path.join(folder, 'notmuch-config');
  writeFileSync(config, `[database]\npath=${path.join(folder, 'mail')}\n[user]\nprimary_email=a@b.example\n[new]\ntags=inbox;\n`);
  const env = { NOTMUCH_CONFIG: config };
  const made = await measureProcess('notmuch', ['new', '--quiet'], env).catch(() => undefined);
  if (!made) return undefined;
  const search = (...args: readonly string[]) => measureProcess('notmuch', args, env);
  return {
    messagesPerSecond: Math.round(messages / made.seconds),
    newest50P95Ms: await times(words, (word) => search('search', '--output=messages', '--limit=50', word)),
    countP95Ms: await times(words, (word) => search('count', word)),
    wildcardP95Ms: await times(words, (word) => search('count', `${word.slice(0, 4)}*`)),
    disk: Number((sizeOf(path.join(folder, 'mail', '.notmuch')) / rawBytes).toFixed(2)),
  };
}

const program = `
import sys, os, email, time, xapian
mode, base = sys.argv[1], sys.argv[2]
target = os.path.join(base, 'xapian')
if mode == 'index':
    db = xapian.WritableDatabase(target, xapian.DB_CREATE_OR_OVERWRITE)
    generator = xapian.TermGenerator()
    generator.set_database(db)
    folder = os.path.join(base, 'mail', 'cur')
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), 'rb') as file:
            message = email.message_from_binary_file(file)
        document = xapian.Document()
        generator.set_document(document)
        for field in ('From', 'To', 'Subject'):
            generator.index_text(message[field] or '')
        generator.increase_termpos()
        generator.index_text(message.get_payload(decode=True).decode('utf-8', 'replace'))
        stamp = email.utils.parsedate_to_datetime(message['Date']).timestamp()
        document.add_value(0, xapian.sortable_serialise(stamp))
        db.add_document(document)
    db.commit()
else:
    db = xapian.Database(target)
    def ask(text, limit, checked):
        parser = xapian.QueryParser()
        parser.set_database(db)
        enquire = xapian.Enquire(db)
        enquire.set_query(parser.parse_query(text, xapian.QueryParser.FLAG_WILDCARD))
        enquire.set_weighting_scheme(xapian.BoolWeight())
        enquire.set_sort_by_value(0, True)
        start = time.perf_counter()
        matches = enquire.get_mset(0, limit, checked)
        for match in matches: pass
        return (time.perf_counter() - start) * 1000
    for kind in ('newest', 'count', 'wildcard'):
        taken = []
        for word in sys.argv[3:]:
            text = word[:4] + '*' if kind == 'wildcard' else word
            taken.append(ask(text, 50 if kind != 'count' else 1, 0 if kind == 'newest' else db.get_doccount()))
        taken.sort()
        print(kind, round(taken[min(len(taken) - 1, int(len(taken) * 0.95))], 1))
`;

/** Xapian through its Python module: an index with the same fields; searches inside of one open process. Undefined where it is not installed. */
export async function measureXapian({ folder, messages, rawBytes, words }: PeerWork): Promise<PeerFigures | undefined> {
  const file = path.join(folder, 'xapian-bench.py');
  writeFileSync(file, program);
  const made = await measureProcess('python3', [file, 'index', folder]).catch(() => undefined);
  if (!made) return undefined;
  const asked = await measureProcess('python3', [file, 'search', folder, ...words]);
  const figure = (kind: string): number => Number(new RegExp(`${kind} ([\\d.]+)`, 'u').exec(asked?.output ?? '')?.[1] ?? 0);
  return {
    messagesPerSecond: Math.round(messages / made.seconds),
    newest50P95Ms: figure('newest'),
    countP95Ms: figure('count'),
    wildcardP95Ms: figure('wildcard'),
    disk: Number((sizeOf(path.join(folder, 'xapian')) / rawBytes).toFixed(2)),
  };
}
