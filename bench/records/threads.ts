import { createSecretKey } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Database, Scope } from '@holdfast/database';
import type { ItemVersion } from '@holdfast/engine';
import { anItem, aSegment } from '@holdfast/engine/testing/builders';
import { systemClock } from '@holdfast/foundation/clock';
import { forEachConcurrent } from '@holdfast/foundation/concurrency';
import { createIds } from '@holdfast/foundation/ids';
import { silentLogger } from '@holdfast/foundation/logger';
import { createSeededRandom, secureRandom, type Random } from '@holdfast/foundation/random';
import { createFilesystemBlobStore, createMasterKeyRing, createMemoryBlobIndex, createVault, openVault, type Vault } from '@holdfast/vault';
import { createThreadsKind } from '../../apps/server/src/features/reviews/threads.kind.ts';
import { createCatalog } from '../../apps/server/src/storage/index.ts';
import type { Administrator } from '../catalog/fill.ts';
import { createListMail, type ListMail } from '../search/list-mail.ts';
import { seconds } from './ask.ts';

interface ThreadGround {
  readonly administrator: Administrator;
  readonly database: Database;
  readonly scope: Scope;
  readonly tenantId: string;
  readonly locationId: string;
  readonly folder: string;
}

const ids = createIds(systemClock, secureRandom);
const SEGMENT = 5_000;
const THREAD = 8;
const MOST_BYTES = 500_000;

async function aVault(root: string): Promise<Vault> {
  const keyRing = createMasterKeyRing({ current: 'bench', keys: { bench: createSecretKey(Buffer.alloc(32, 1)) } });
  const base = { store: createFilesystemBlobStore({ root }), keyRing, clock: systemClock, ids, logger: silentLogger };
  await createVault({ ...base, organisationId: 'bench' });
  return openVault({ ...base, index: createMemoryBlobIndex() });
}

const headOf = ({ from, subject, at }: ListMail, number: number, answered: number): string =>
  [
    `From: ${from}`,
    'To: list@list.example',
    `Subject: ${answered < 0 ? '' : 'Re: '}${subject}`,
    `Date: ${at.toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${number}@threads.example>`,
    ...(answered < 0 ? [] : [`References: <${number - (number % THREAD)}@threads.example> <${answered}@threads.example>`]),
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
  ].join('\r\n');

/** An answer: some lines of its own above what it answers, a fifth of the time cut. */
function answerOf(own: string, answered: string, random: Random): string {
  const quoted = answered.split('\n');
  const kept = random.below(5) === 0 ? quoted.slice(0, 6) : quoted;
  const lines = own.split('\n').slice(0, 4 + random.below(8));
  return [...lines, '', 'On Monday somebody wrote:', ...kept.map((line) => `> ${line}`)].join('\n');
}

/** Mail of lists in threads of eight: each answers the one before or the first. Some beginnings of threads are alike. */
function* listThreads(messages: number): Generator<Buffer, void, undefined> {
  const list = createListMail(23, messages);
  let texts: string[] = [];
  for (let number = 0; number < messages; number += 1) {
    const place = number % THREAD;
    const random = createSeededRandom(number);
    const mail = list.mail(place === 0 && number % 10 === 0 ? Math.floor(number / 400) * 400 : number);
    const of = random.below(4) === 0 ? 0 : place - 1;
    const text = place === 0 ? `${mail.text}\n${number}` : answerOf(mail.text, texts[of] ?? '', random);
    texts = place === 0 ? [text] : [...texts, text];
    const head = headOf(mail, number, place === 0 ? -1 : number - place + of);
    yield Buffer.from(`${head}\r\n\r\n${text.replaceAll('\n', '\r\n')}\r\n`);
  }
}

/** The mails of the corpora: files of one message, mailbox files, and the files of a Maildir. */
function* realMail(corpora: string): Generator<Buffer, void, undefined> {
  for (const entry of readdirSync(corpora, { recursive: true, withFileTypes: true })) {
    const { name, parentPath } = entry;
    if (!entry.isFile() || !/\.(?:eml|mbox|msg|txt)$|^[^.]+$|:2,[A-Z]*$/iu.test(name)) continue;
    const bytes = readFileSync(path.join(parentPath, name));
    const isMbox = bytes.subarray(0, 5).toString() === 'From ';
    for (const part of isMbox ? bytes.toString('latin1').split(/^From .*\r?\n/mu) : [bytes.toString('latin1')])
      if (part.length <= MOST_BYTES && /^[\w-]+:/mu.test(part)) yield Buffer.from(part, 'latin1');
  }
}

/** A review set of mails that lie in a vault and in the catalog. */
async function aSet(ground: ThreadGround, vault: Vault, name: string, mails: Iterable<Buffer>): Promise<string> {
  const { administrator, database, scope, tenantId, locationId } = ground;
  const scoped = `'${scope.organisationId}'::uuid, '${scope.realm}'`;
  const [resourceId, caseId, setId] = [ids.uuid(), ids.uuid(), ids.uuid()];
  await administrator.query(`insert into resources (organisation_id, realm, resource_id, tenant_id, workload, kind, graph_id, name, address)
    values (${scoped}, '${resourceId}', '${tenantId}', 'exchange', 'mailbox', '${name}', '${name}', '${name}@threads.example')`);
  const catalog = createCatalog({ database, scope, locationId, ids });
  const writer = await vault.openWriter({ resourceId });
  let [batch, sequence]: [Buffer[], number] = [[], 0];
  const write = async (): Promise<void> => {
    sequence += 1;
    const put: ItemVersion[] = [];
    await forEachConcurrent([...batch.entries()], 24, async ([at, bytes]) => {
      const ref = await writer.put(bytes, { kind: 'message' });
      put[at] = anItem(`${sequence}-${at}`, { contents: [{ role: 'mime', ref }], sizeBytes: bytes.byteLength });
    });
    await catalog.apply(aSegment(resourceId, sequence, { put }));
    batch = [];
  };
  for (const mail of mails) if (batch.push(mail) >= SEGMENT) await write();
  if (batch.length > 0) await write();
  await writer.close();
  await administrator.query(`insert into cases (organisation_id, realm, case_id, tenant_id, matter, reference, created_by, creator, created_at)
    values (${scoped}, '${caseId}', '${tenantId}', '${name}', '', gen_random_uuid(), 'bench', now())`);
  await administrator.query(`insert into case_custodians (organisation_id, realm, case_id, custodian_id, person_key, name, address, added_at)
    values (${scoped}, '${caseId}', gen_random_uuid(), 'u:${name}', '${name}', '', now())`);
  await administrator.query(`insert into review_sets (organisation_id, realm, set_id, case_id, name, query, population, items, creator, created_at)
    values (${scoped}, '${setId}', '${caseId}', '${name}', '', 0, 0, 'bench', now())`);
  await administrator.query(`insert into review_items (organisation_id, realm, set_id, position, copy_of, source_id, resource_id, item_key, from_point, at, size_bytes)
    select ${scoped}, '${setId}', number, number, source_id, '${resourceId}', item_key, from_point, now(), size_bytes
    from (select item.*, row_number() over (order by item_key)::int as number from catalog_items item join catalog_sources using (source_id)
      where resource_id = '${resourceId}') item`);
  await administrator.query('analyze');
  return setId;
}

interface Found {
  readonly mails: number;
  readonly toRead: number;
  readonly nearCopies: number;
}

/** The run as a worker does it. */
async function look(
  { database, scope, locationId }: ThreadGround,
  vault: Vault,
  setId: string,
): Promise<Found & { readonly seconds: number }> {
  const nothing = (): void => undefined;
  const kind = createThreadsKind({
    database,
    clock: systemClock,
    vaults: { use: (_scope: Scope, _location: string, work: (opened: Vault) => Promise<unknown>) => work(vault) } as never,
    catalogOf: () => createCatalog({ database, scope, locationId, ids }),
  });
  const progress = { stage: nothing, expect: nothing, of: () => ({ report: nothing }) };
  const began = performance.now();
  const { result } = await kind.handle({
    scope,
    run: { runId: ids.uuid(), body: { setId } },
    progress,
    signal: new AbortController().signal,
  } as never);
  return { ...(result as Found), seconds: seconds(began) };
}

export interface Threads {
  readonly threadsSeconds: number;
  readonly nearCopies: number;
  readonly readLessList: number;
  /** Of the real mail that belongs to a conversation: whoever reads a mail that nobody answered reads it in any case. Null without the corpora. */
  readonly readLess: number | null;
  readonly readLessAll: number | null;
  readonly realMails: number | null;
  readonly realMailsInConversations: number | null;
}

const less = ({ mails, toRead }: Pick<Found, 'mails' | 'toRead'>): number => Number((1 - toRead / mails).toFixed(3));

/** The mails of a set that share a thread with others. */
async function inConversations({ administrator }: ThreadGround, setId: string): Promise<Pick<Found, 'mails' | 'toRead'>> {
  const [counted] = await administrator.query(
    `select count(*)::int as mails, (count(*) filter (where position = shown_by))::int as to_read
     from (select *, count(*) over (partition by thread) as together from review_threads where set_id = $1) one where together > 1`,
    [setId],
  );
  return { mails: Number(counted?.['mails']), toRead: Number(counted?.['to_read']) };
}

async function realFigures(ground: ThreadGround, vault: Vault, corpora: string) {
  const setId = await aSet(ground, vault, 'corpora', realMail(corpora));
  const all = await look(ground, vault, setId);
  const together = await inConversations(ground, setId);
  return { readLess: less(together), readLessAll: less(all), realMails: all.mails, realMailsInConversations: together.mails };
}

const NO_CORPORA = { readLess: null, readLessAll: null, realMails: null, realMailsInConversations: null } as const;

/** Threads and near duplicates of so many mails that lie in a vault, and how much less there is to read of real mail. */
export async function measureThreads(ground: ThreadGround, messages: number, corpora: string | undefined): Promise<Threads> {
  const vault = await aVault(path.join(ground.folder, 'threads'));
  try {
    const found = await look(ground, vault, await aSet(ground, vault, 'lists', listThreads(messages)));
    return {
      threadsSeconds: found.seconds,
      nearCopies: found.nearCopies,
      readLessList: less(found),
      ...(corpora === undefined ? NO_CORPORA : await realFigures(ground, vault, corpora)),
    };
  } finally {
    await vault.close();
  }
}
