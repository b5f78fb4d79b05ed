import type { Approval } from '@holdfast/contract/approvals';
import type { DeletionDetails, Tombstone } from '@holdfast/contract/deletions';
import type { Page } from '@holdfast/contract/paging';
import type { Selection } from '@holdfast/contract/selections';
import { createTaskQueue, type Scope } from '@holdfast/database';
import type { TestDatabase } from '@holdfast/database/testing/test-database';
import { sha256Hex } from '@holdfast/foundation/bytes';
import { systemClock } from '@holdfast/foundation/clock';
import { silentLogger } from '@holdfast/foundation/logger';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { createRunsStore } from '../../../runs/index.ts';
import { testIds as ids } from '../../../testing/rows.ts';
import { startSimulatedServer } from '../../../testing/simulated-server.ts';
import { connectSimulated, unscheduled, type RunRow } from '../../../testing/simulated-tenant.ts';
import type { SignedIn } from '../../../testing/test-server.ts';
import { createDeletionsService, type DeletionsParts } from '../deletions.service.ts';
import { createDeletionsStore } from '../deletions.store.ts';

export const mail = (subject: string, body = 'Text'): string =>
  `From: ada@proseware.example\nTo: you@tiny.example\nSubject: ${subject}\nDate: Mon, 02 Nov 2026 10:00:00 +0000\n\n${body}\n`;
export const hashOf = (text: string): string => sha256Hex(Buffer.from(text, 'latin1'));
/** A mail with an attachment that others share. */
export const withAttachment = (subject: string, content: string): string =>
  `From: ada@proseware.example\r\nSubject: ${subject}\r\nDate: Mon, 02 Nov 2026 10:00:00 +0000\r\nMIME-Version: 1.0\r\n` +
  `Content-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\n${subject}\r\n--b\r\n` +
  `Content-Type: application/octet-stream; name="a.bin"\r\nContent-Disposition: attachment; filename="a.bin"\r\n` +
  `Content-Transfer-Encoding: base64\r\n\r\n${content}\r\n--b--\r\n`;

interface Answer<T> {
  readonly status: number;
  readonly body: T & { readonly code?: string; readonly message?: string };
}

/** An organisation with two people, a tenant with archives, and what they do with deletions over HTTP. */
export async function deletionGround(testing: TestDatabase) {
  const folder = await mkdtemp(path.join(tmpdir(), 'holdfast-deletions-'));
  const running = await startSimulatedServer(testing, { HOLDFAST_IMPORT_ROOTS: folder });
  const { server, simulator } = running;
  const owner: SignedIn & { readonly organisationId: Scope['organisationId'] } = await server.owner();
  const second: SignedIn = await server.member(owner.organisationId, 'administrator');
  const scope: Scope = { organisationId: owner.organisationId, realm: 'production' };
  const tenant = await connectSimulated({ server, owner, simulator, testing, vault: path.join(running.folder, 'vault') });
  const queue = await createTaskQueue({ database: testing.database, logger: silentLogger, supervises: false });
  const runs = createRunsStore({ database: testing.database, queue, clock: systemClock, ids });
  const [directory] = [...simulator.simulation.tenants.values()].map((one) => one.directory);
  const people = (directory?.users() ?? [])
    .filter((one) => one.hasMailbox && one.kind === 'member')
    .map(({ id, displayName: name, mail: address }) => ({ id, name, address }));
  let imported = 0;

  function person(at: number) {
    const found = people[at];
    if (!found) throw new Error(`There is no person ${at}.`);
    return found;
  }

  async function send<T>(to: string, options: { who?: SignedIn; body?: object; method?: string } = {}): Promise<Answer<T>> {
    const { who = owner, body, method } = options;
    const answer = await server.send(`/apollo/api/${tenant.tenantId}/${to}`, {
      token: who.tokens.main,
      ...(body === undefined ? {} : { body }),
      ...(method === undefined ? {} : { method }),
    });
    const text = await answer.text();
    return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as Answer<T>['body'] };
  }

  /** Imports mails into the archive of somebody; answers how the run ended. */
  async function imports(at: number, mails: readonly string[]): Promise<RunRow> {
    const name = `import-${(imported += 1)}`;
    await mkdir(path.join(folder, name));
    const mbox = mails.map((text) => `From ada@proseware.example Mon Nov  2 10:00:00 2026\n${text}\n`).join('');
    await writeFile(path.join(folder, name, 'mails.mbox'), mbox, 'latin1');
    const settings = { source: { kind: 'folder', path: name }, mapping: [{ mailbox: person(at) }] };
    const job = await tenant.job({ type: 'import', name, schedule: unscheduled, import: settings });
    return tenant.ended(await tenant.start(job), 240_000);
  }

  async function archiveIdOf(at: number): Promise<string> {
    const rows = await testing.asSuperuser(`select resource_id from resources where kind = 'archive' and graph_id = $1`, [person(at).id]);
    return String(rows[0]?.['resource_id']);
  }

  /** The names of what an archive has now, newest state. */
  async function archived(at: number): Promise<string[]> {
    const rows = await testing.asSuperuser(
      `select item_key from catalog_items join catalog_sources using (source_id) where resource_id = $1 and to_point = 9007199254740991 order by 1`,
      [await archiveIdOf(at)],
    );
    return rows.map((row) => String(row['item_key']));
  }

  async function selected(at: number, chosen: object): Promise<Selection> {
    const to = `archive/mailboxes/${await archiveIdOf(at)}/selections`;
    const answer = await send<Selection>(to, { body: { reason: 'A request for erasure', ...chosen } });
    expect(answer.status).toBe(201);
    return answer.body;
  }

  async function drafted(at: number, chosen: object, basis = 'erasure'): Promise<DeletionDetails> {
    const { selectionId } = await selected(at, chosen);
    const answer = await send<DeletionDetails>('archive/deletions', { body: { selectionId, basis, reason: 'Art. 17, ticket 4711' } });
    expect(answer).toMatchObject({ status: 201, body: { state: 'draft' } });
    return answer.body;
  }

  const read = async ({ deletionId }: Pick<DeletionDetails, 'deletionId'>): Promise<DeletionDetails> =>
    (await send<DeletionDetails>(`archive/deletions/${deletionId}`)).body;
  const step = (verb: string, { deletionId }: Pick<DeletionDetails, 'deletionId'>, who: SignedIn = owner) =>
    send<DeletionDetails>(`archive/deletions/${deletionId}/${verb}`, { who, body: {} });

  async function decide(
    deletion: DeletionDetails,
    verb: 'approve' | 'refuse' | 'delay' | 'withdraw',
    who: SignedIn = second,
    body: object = {},
  ) {
    const { approval } = await read(deletion);
    return send<Approval>(`approvals/${approval?.approvalId}/${verb}`, { who, body });
  }

  async function approved(deletion: DeletionDetails): Promise<DeletionDetails> {
    expect(await step('request', deletion)).toMatchObject({ status: 200, body: { state: 'waiting' } });
    expect((await decide(deletion, 'approve')).status).toBe(200);
    return read(deletion);
  }

  /** Lets the quarantine of a deletion pass, as far as its row says. */
  async function passQuarantine({ deletionId }: DeletionDetails): Promise<void> {
    await testing.asSuperuser(`update message_deletions set due_at = now() - interval '1 hour' where deletion_id = $1`, [deletionId]);
  }

  /** What the scheduler does each minute. */
  async function startDue({ deletionId }: DeletionDetails): Promise<boolean> {
    const store = createDeletionsStore(testing.database);
    // Starting asks nobody and keeps nothing.
    const parts = { store, runs, clock: systemClock, ids } as unknown as DeletionsParts;
    return createDeletionsService(parts).startDue(scope, deletionId);
  }

  /** Waits for the run that a deletion has now. */
  async function ended(deletion: DeletionDetails): Promise<DeletionDetails> {
    const { runId } = await read(deletion);
    await tenant.ended(runId ?? '', 240_000);
    return read(deletion);
  }

  async function executed(deletion: DeletionDetails): Promise<DeletionDetails> {
    await approved(deletion);
    await passQuarantine(deletion);
    expect(await startDue(deletion)).toBe(true);
    return ended(deletion);
  }

  const tombstones = async ({ deletionId }: DeletionDetails): Promise<Page<Tombstone>> =>
    (await send<Page<Tombstone>>(`archive/tombstones?deletionId=${deletionId}&limit=200`)).body;

  /** The counters of an archive are what a recount of its messages gives. */
  async function expectCounted(at: number): Promise<void> {
    const [counted] = await testing.asSuperuser(
      `select mailbox.messages::int, mailbox.bytes::int, source.items::int,
         (select coalesce(sum(messages), 0)::int from archive_counts where source_id = mailbox.source_id and dimension = 'month') as by_month,
         (select coalesce(sum(change), 0)::int from catalog_folder_counts where source_id = mailbox.source_id and parent_key = '') as children,
         truth.messages::int as true_messages, truth.bytes::int as true_bytes
       from archive_mailboxes mailbox join catalog_sources source using (source_id)
       cross join lateral (select count(*) as messages, coalesce(sum(size_bytes), 0) as bytes from catalog_items
         where source_id = mailbox.source_id and kind = 'message' and to_point = 9007199254740991) truth where source.resource_id = $1`,
      [await archiveIdOf(at)],
    );
    const { messages, bytes, items, by_month: byMonth, children, true_messages: truth, true_bytes: trueBytes } = counted ?? {};
    expect({ messages, items, byMonth, children, bytes }).toEqual({
      messages: truth,
      items: truth,
      byMonth: truth,
      children: truth,
      bytes: trueBytes,
    });
  }

  return {
    /** Where locations may be. */
    folder: running.folder,
    simulator,
    server,
    tenant,
    owner,
    second,
    scope,
    runs,
    person,
    send,
    imports,
    archiveIdOf,
    archived,
    selected,
    drafted,
    read,
    step,
    decide,
    approved,
    passQuarantine,
    startDue,
    ended,
    executed,
    tombstones,
    expectCounted,
    async close() {
      await queue.stop(1_000);
      await running.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
export type DeletionGround = Awaited<ReturnType<typeof deletionGround>>;
