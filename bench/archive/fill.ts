import type { ArchivedDay } from '@holdfast/contract/archive-completeness';
import type { ArchivedMailbox } from '@holdfast/contract/archive';
import type { ArchivedMessage } from '@holdfast/contract/archived-messages';
import type { SearchCoverage } from '@holdfast/contract/query/search';
import { importPartBytes } from '@holdfast/contract/imports';
import { everyone, finish, pause, type Ground, type Listed, type Person } from './ground.ts';

const OPENED = 150;
const WARM = 20;
/** Turns between two looks at everything: they cost as much as what they look at. */
const LOOK_EVERY = 4;

/** Messages a second that an archive takes in from backups of the same vault. The backup itself is not counted. */
export async function measureCapture(ground: Ground): Promise<number> {
  const body = { workload: 'exchange', source: everyone, locationId: ground.locationId };
  await finish(ground, { ...body, type: 'backup', name: 'Backup' });
  const { added, seconds } = await finish(ground, { ...body, type: 'archive', name: 'Archive' });
  return Math.round(added / seconds);
}

function mailbox(messages: number): Buffer {
  const one = (at: number): string =>
    `From anna@fabrikam.example Mon Nov  2 10:00:00 2026\nFrom: Anna <anna@fabrikam.example>\nTo: ben@fabrikam.example\n` +
    `Subject: Offer ${at}\nMessage-ID: <import-${at}@fabrikam.example>\nDate: Mon, 02 Nov 2026 10:00:00 +0000\n\n` +
    `${`Dear Ben, offer ${at} is as we discussed: forty desks, delivered in week ${at % 52}.\n`.repeat(45)}\n`;
  return Buffer.from(Array.from({ length: messages }, (_message, at) => one(at)).join(''));
}

async function upload({ api, at, locationId }: Ground, bytes: Buffer): Promise<string> {
  const { fileId } = await api.post<{ fileId: string }>(`${at}/archive/imports/files`, {
    name: 'Mail.mbox',
    sizeBytes: bytes.byteLength,
    locationId,
  });
  for (let part = 0; part * importPartBytes < bytes.byteLength; part += 1) {
    const piece = bytes.subarray(part * importPartBytes, (part + 1) * importPartBytes);
    await api.upload(`${at}/archive/imports/files/${fileId}/parts/${part}`, piece);
  }
  return fileId;
}

const archiveOf = async ({ api, at }: Ground, { address }: Person): Promise<ArchivedMailbox | undefined> =>
  (await api.get<Listed<ArchivedMailbox>>(`${at}/archive/mailboxes?search=${encodeURIComponent(address)}`)).items[0];

/** Fails where the search lacks a message of the archive: asked once, since it compares each with each. */
async function requireSearchable(ground: Ground, person: Person): Promise<void> {
  const found = await archiveOf(ground, person);
  const path = `${ground.at}/archive/mailboxes/${found?.mailboxId}`;
  await ground.api.post(`${path}/compare`, {});
  const { items } = await ground.api.get<Listed<ArchivedDay>>(`${path}/days?limit=200`);
  if (items.length === 0 || items.some(({ notSearchable }) => notSearchable > 0)) throw new Error('The search lacks what was imported.');
}

/**
 * Waits until the words of all that is kept are read: what comes first is not counted with what comes after. The word occurs
 * nowhere: a search with thousands of hits, over and over, would take a third of the database from the import.
 */
async function allRead({ api, at }: Ground): Promise<void> {
  for (;;) {
    const asked = { query: 'occursnowhere', reason: 'Benchmark', limit: 1 };
    const { coverage } = await api.post<{ coverage: SearchCoverage }>(`${at}/archive/search`, asked);
    if (coverage.items > 0 && coverage.searched === coverage.items) return;
    for (let turn = 0; turn < LOOK_EVERY; turn += 1) await pause();
  }
}

/** Waits until what comes by itself has come: minutes after an archive was made it is recounted, and compared with the backups. */
async function allCompared({ api, at }: Ground): Promise<void> {
  for (;;) {
    const { items } = await api.get<Listed<ArchivedMailbox>>(`${at}/archive/mailboxes?limit=200`);
    if (items.every(({ comparedAt }) => comparedAt !== null)) return;
    await pause();
  }
}

/** Messages a second that come from a mailbox file into an archive and into the search. The upload is not counted. */
export async function measureImport(ground: Ground, person: Person, messages: number): Promise<number> {
  const source = { kind: 'upload', fileId: await upload(ground, mailbox(messages)) };
  await allRead(ground);
  await allCompared(ground);
  const began = performance.now();
  await finish(ground, {
    type: 'import',
    name: 'Import',
    locationId: ground.locationId,
    import: { source, mapping: [{ mailbox: person, into: 'Imported' }] },
  });
  await allRead(ground);
  const seconds = (performance.now() - began) / 1_000;
  await requireSearchable(ground, person);
  return Math.round(messages / seconds);
}

/** How long it takes to open a message with its proof: the logged reason, the message read back and checked, and the proof. */
export async function measureOpening(ground: Ground, person: Person): Promise<number> {
  const { api, at } = ground;
  const found = await archiveOf(ground, person);
  const reason = 'Benchmark';
  const { items } = await api.post<Listed<ArchivedMessage>>(`${at}/archive/mailboxes/${found?.mailboxId}/messages`, { reason, limit: 200 });
  const times: number[] = [];
  for (const { messageId, locationId, sourceId, sequence } of items.slice(0, OPENED + WARM)) {
    const began = performance.now();
    const node = { locationId, sourceId, nodeId: messageId, sequence, reason };
    const { ticket } = await api.post<{ ticket: string }>(`${at}/content-tickets`, node);
    const to = `${at}/archive/messages/${messageId}`;
    await Promise.all([api.get(`${to}?ticket=${ticket}`), api.get(`${to}/proof?ticket=${ticket}`)]);
    times.push(performance.now() - began);
    // Somebody who reads: a program that opens message after message is slowed down.
    await pause();
  }
  const sorted = times.slice(WARM).toSorted((a, b) => a - b);
  return Math.round(sorted[Math.floor(sorted.length * 0.95)] ?? 0);
}
