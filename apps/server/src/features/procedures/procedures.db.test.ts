import { defaultBackupSettings } from '@holdfast/contract/configuration';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { createFakeClock } from '@holdfast/foundation/testing/fake-clock';
import { beforeAll, expect, test } from 'vitest';
import { aGround, aResource, aRunRow, testIds, type Ground } from '../../testing/rows.ts';
import { createAuditInbox } from '../audit/index.ts';
import type { Asking } from '../identity/index.ts';
import { createProceduresService, hashOf } from './procedures.service.ts';

/** Versions over what the tables have, with a clock that the test moves. */
const testing = testDatabase(import.meta.url);
const { database } = testing;
const clock = createFakeClock(Date.parse('2026-11-02T08:00:00Z'));
const audit = createAuditInbox({ clock, ids: testIds });
const reminders: string[] = [];
const jobId = testIds.uuid();
let ground: Ground;
let asking: Asking;
const service = createProceduresService({
  database,
  clock,
  audit,
  version: '0.1.0',
  publicUrl: () => 'https://holdfast.example',
  remind(_tx, _scope, { tenant }) {
    reminders.push(tenant);
    return Promise.resolve();
  },
});
const read = (number: number) => service.get(ground.scope, { tenantId: ground.tenantId, number }, 'en');

beforeAll(async () => {
  ground = await aGround(database);
  const actor = { accountId: testIds.uuid(), email: 'ann@contoso.example', memberships: [] };
  asking = { scope: ground.scope, actor, caller: { address: '127.0.0.1', requestId: 'r' } } as unknown as Asking;
  await database.within(ground.scope, (tx) =>
    tx
      .insertInto('jobs')
      .values({
        job_id: jobId,
        tenant_id: ground.tenantId,
        name: 'Mail',
        type: 'backup',
        workload: 'exchange',
        location_id: ground.locationId,
        body: '{}',
        schedule: '{"mode":"daily","time":"22:00","timeZone":"Europe/Berlin"}',
        next_run_at: null,
        creator: 'ann@contoso.example',
        created_by: null,
        created_at: new Date(clock.nowMs()),
        anchored_at: new Date(clock.nowMs()),
      })
      .execute(),
  );
});

test('the first version describes what is set up, with the sections of the organisation, and its hash is in the audit log', async () => {
  await service.saveSections(asking, ground.tenantId, [{ title: 'Scanning', text: 'By the post room.\n\nEvery morning.' }]);
  const made = await service.make(asking, ground.tenantId);
  const { version, content, paper } = await read(1);
  expect(made).toEqual(version);
  expect(version).toMatchObject({ number: 1, maker: 'ann@contoso.example', changes: 0, hash: hashOf(content) });
  expect(content.entries.filter(({ part }) => part === 'jobs')).toMatchObject([
    { key: jobId, name: 'Mail', values: { location: 'Vault', kind: 'backup' } },
  ]);
  expect(content.entries.filter(({ part }) => part === 'locations')).toMatchObject([
    { name: 'Vault', values: { kind: 'filesystem', lock: 'none' } },
  ]);
  expect(paper.sections.find(({ title }) => title === 'Scanning')?.blocks).toEqual([
    { kind: 'text', text: 'By the post room.' },
    { kind: 'text', text: 'Every morning.' },
  ]);
  const german = await service.get(ground.scope, { tenantId: ground.tenantId, number: 1 }, 'de');
  const said = (which: typeof paper): string => JSON.stringify(which.sections.map(({ blocks }) => blocks));
  expect(said(paper)).toContain('Kind: Backup · Workload: Exchange · Location: Vault · Schedule: Daily at 22:00 (Europe/Berlin)');
  expect(said(german.paper)).toContain('Zeitplan: Täglich um 22:00 (Europe/Berlin)');
  expect(said(german.paper), 'no setting is shown as it is kept').not.toMatch(/\\"mode|exchange|filesystem|: none|: open/);
  const told = await testing.asSuperuser("select payload from audit_inbox where event = 'procedures.made'");
  expect(JSON.stringify(told)).toContain(version.hash);
});

test('a change is named by the next version, with who made it and when; the version before stays as it was', async () => {
  const before = await read(1);
  await clock.advance(3_600_000);
  await database.within(ground.scope, async (tx) => {
    await tx.updateTable('jobs').set({ schedule: '{"mode":"disabled"}' }).where('job_id', '=', jobId).execute();
    await audit.record(tx, {
      event: 'jobs.changed',
      actor: { kind: 'account', name: 'ben@contoso.example' },
      subject: { kind: 'job', id: jobId, name: 'Mail' },
    });
  });
  const changedAt = new Date(clock.nowMs()).toISOString();
  await clock.advance(60_000);
  await service.make(asking, ground.tenantId);
  const { content, paper } = await read(2);
  expect(content.changes).toMatchObject([{ part: 'jobs', name: 'Mail', kind: 'changed', actor: 'ben@contoso.example', at: changedAt }]);
  expect(content.changes[0]?.fields.map(({ field }) => field)).toEqual(['schedule']);
  expect(paper.sections[0]?.title).toBe('Changes since version 1');
  expect(JSON.stringify(paper.sections[0])).toContain('Schedule: Disabled (before: Daily at 22:00 (Europe/Berlin))');
  expect(paper.verdict.text).toMatch(/changes since the last version: 1\.$/);
  expect((await service.get(ground.scope, { tenantId: ground.tenantId, number: 2 }, 'de')).paper.sections[0]?.title).toBe(
    'Änderungen seit Version 1',
  );
  expect(await read(1)).toEqual(before);
  const forge = database.within(ground.scope, (tx) => tx.updateTable('procedure_versions').set({ hash: '' }).execute());
  await expect(forge).rejects.toThrow('permission denied');
  expect((await service.list(ground.scope, ground.tenantId, { limit: 10 })).items.map(({ number }) => number)).toEqual([2, 1]);
});

test('a changed backup setting is named in words, with who changed it, whatever else was done about the tenant since', async () => {
  const happened = (event: 'configuration.changed' | 'procedures.edited', name: string) =>
    database.within(ground.scope, (tx) =>
      audit.record(tx, { event, actor: { kind: 'account', name }, subject: { kind: 'tenant', id: ground.tenantId, name: 'Contoso' } }),
    );
  const { content: before } = await read(2);
  expect(before.entries.find(({ part }) => part === 'settings')?.values).toMatchObject({
    'teams.includeChats': 'false',
    'onedrive.versions': '10',
  });
  const settings = {
    ...defaultBackupSettings,
    teams: { ...defaultBackupSettings.teams, includeChats: true },
    excludedFolders: ['Inbox/Private'],
  };
  await clock.advance(60_000);
  await database.within(ground.scope, (tx) =>
    tx
      .insertInto('backup_configurations')
      .values({ tenant_id: ground.tenantId, settings: JSON.stringify(settings), connection: null, users_synchronised_at: null })
      .execute(),
  );
  await happened('configuration.changed', 'carla@contoso.example');
  await clock.advance(60_000);
  await happened('procedures.edited', 'ben@contoso.example');
  await service.make(asking, ground.tenantId);
  const { content, paper } = await read(3);
  expect(content.changes).toMatchObject([{ part: 'settings', kind: 'changed', actor: 'carla@contoso.example' }]);
  const said = JSON.stringify(paper.sections[0]);
  expect(said).toContain('Teams: Chats too: Yes (before: No)');
  expect(said).toContain('Folders that are never backed up (mailboxes, OneDrive, SharePoint): Inbox/Private (before: –)');
});

/** A policy as it is once a second person has approved it. */
async function policyInForce(
  name: string,
  terms: { readonly amount: number; readonly replaces?: string; readonly about?: 'files'; readonly is_everything?: boolean },
): Promise<string> {
  const policyId = testIds.uuid();
  const at = new Date(clock.nowMs());
  await database.within(ground.scope, async (tx) => {
    const row = {
      policy_id: policyId,
      tenant_id: ground.tenantId,
      name,
      anchor: 'received',
      unit: 'years',
      starts: 'fiscalYear',
      fiscal_year_end: 6,
      is_everything: true,
      created_by: testIds.uuid(),
      creator: 'ann@contoso.example',
      created_at: at,
      activated_at: at,
      ...terms,
    } as const;
    await tx.insertInto('retention_policies').values(row).execute();
    const request = { approval_id: testIds.uuid(), tenant_id: ground.tenantId, kind: 'retentionPolicy', subject_id: policyId } as const;
    const decided = { status: 'approved', mode: 'secondPerson', decider: 'dora@contoso.example', decided_at: at } as const;
    const asked = { subject_name: name, details: '{}', requested_by: testIds.uuid(), requester: 'ann@contoso.example', requested_at: at };
    await tx
      .insertInto('approvals')
      .values({ ...request, ...decided, ...asked })
      .execute();
    await audit.record(tx, {
      event: 'approvals.approved',
      actor: { kind: 'account', name: 'dora@contoso.example' },
      subject: { kind: 'retentionPolicy', id: policyId, name },
    });
    if (terms.replaces !== undefined)
      await tx.updateTable('retention_policies').set({ ended_at: at }).where('policy_id', '=', terms.replaces).execute();
  });
  return policyId;
}

test('a retention policy is described in both languages with who asked and who approved; its replacement and its end are changes', async () => {
  await clock.advance(60_000);
  const first = await policyInForce('Vouchers', { amount: 8 });
  await service.make(asking, ground.tenantId);
  const added = await read(4);
  expect(added.content.changes).toMatchObject([{ part: 'policies', name: 'Vouchers', kind: 'added', actor: 'dora@contoso.example' }]);
  const chapter = (paper: typeof added.paper, title: string): string =>
    JSON.stringify(paper.sections.find((section) => section.title === title)?.blocks);
  expect(chapter(added.paper, 'Retention policies')).toContain(
    'Kept for at least: 8 years from the end of the fiscal year · Receipt · Fiscal year ends with: June · In force since: 2 November 2026 · ' +
      'Requested by: ann@contoso.example · Approved by: dora@contoso.example · Applies to: Everything archived, now and later',
  );
  const german = (await service.get(ground.scope, { tenantId: ground.tenantId, number: 4 }, 'de')).paper;
  expect(chapter(german, 'Aufbewahrungsrichtlinien')).toContain(
    'Mindestens aufbewahrt: 8 Jahre ab Ende des Geschäftsjahres · Eingang · Geschäftsjahr endet mit: Juni',
  );

  await clock.advance(60_000);
  const second = await policyInForce('Vouchers', { amount: 10, replaces: first });
  const replacedAt = new Date(clock.nowMs()).toISOString();
  await service.make(asking, ground.tenantId);
  const replaced = await read(5);
  expect(replaced.content.changes).toMatchObject([
    { part: 'policies', name: 'Vouchers', kind: 'changed', actor: 'dora@contoso.example', at: replacedAt },
  ]);
  expect(JSON.stringify(replaced.paper.sections[0])).toContain(
    'Kept for at least: 10 years from the end of the fiscal year · Receipt (before: 8 years from the end of the fiscal year · Receipt)',
  );

  await clock.advance(60_000);
  await database.within(ground.scope, async (tx) => {
    await tx
      .updateTable('retention_policies')
      .set({ ended_at: new Date(clock.nowMs()) })
      .where('policy_id', '=', second)
      .execute();
    await audit.record(tx, {
      event: 'approvals.approved',
      actor: { kind: 'account', name: 'ben@contoso.example' },
      subject: { kind: 'retentionEnd', id: second, name: 'Vouchers' },
    });
  });
  await service.make(asking, ground.tenantId);
  expect((await read(6)).content.changes).toMatchObject([
    { part: 'policies', name: 'Vouchers', kind: 'removed', actor: 'ben@contoso.example' },
  ]);
  expect(chapter((await read(4)).paper, 'Retention policies')).toContain('8 years');
});

test('a section of the organisation that is added, rewritten or removed is a change, with who edited it', async () => {
  const save = (...sections: { title: string; text: string }[]) => service.saveSections(asking, ground.tenantId, sections);
  const changed = async (number: number): Promise<readonly string[]> => {
    await service.make(asking, ground.tenantId);
    const { content } = await read(number);
    return content.changes.map(({ part, name, kind, actor }) => `${part} ${name} ${kind} ${actor ?? ''}`);
  };
  await clock.advance(60_000);
  await save({ title: 'Scanning', text: 'By the reception.' }, { title: 'Scanning', text: 'Of drawings: by nobody.' });
  expect(await changed(7)).toEqual(['sections Scanning changed ann@contoso.example', 'sections Scanning added ann@contoso.example']);
  expect(JSON.stringify((await read(7)).paper.sections[0])).toContain('Own sections: Scanning');
  await clock.advance(60_000);
  await save();
  expect(await changed(8)).toEqual(Array.from({ length: 2 }, () => 'sections Scanning removed ann@contoso.example'));
  expect(await changed(9)).toEqual([]);
});

test('a version says when the stored data was verified last and when a restore was tried, with the results', async () => {
  const integrity = async (number: number): Promise<string> =>
    JSON.stringify((await read(number)).paper.sections.find(({ title }) => title === 'Integrity'));
  expect(await integrity(9)).toContain('Stored data last verified: Not yet');
  await database.within(ground.scope, async (tx) => {
    for (const [type, status, ended_at, number] of [
      ['verify', 'successful', '2026-11-01T02:00:00Z', 1],
      ['verify', 'defective', '2026-11-02T02:00:00Z', 2],
      ['drill', 'successful', '2026-11-01T03:00:00Z', 3],
    ] as const)
      await tx
        .insertInto('runs')
        .values(aRunRow(ground, { type, status, number, queued_at: ended_at, ended_at }))
        .execute();
  });
  await service.make(asking, ground.tenantId);
  expect(await integrity(10)).toContain('Stored data last verified: 2 Nov 2026, 02:00 · Defective');
  expect(await integrity(10)).toContain('Last restore drill: 1 Nov 2026, 03:00 · Successful');
  expect(await integrity(9)).toContain('Stored data last verified: Not yet');
});

test('a version of an earlier Holdfast keeps its parts, and what it never described is no change of the next', async () => {
  await policyInForce('Letters', { amount: 6 });
  const { content } = await read(10);
  const { proofs: _proofs, parts: _parts, ...earlier } = content;
  await testing.asSuperuser('update procedure_versions set content = $1::json where number = 10', [JSON.stringify(earlier)]);
  await service.make(asking, ground.tenantId);
  const titles = async (number: number): Promise<readonly string[]> => (await read(number)).paper.sections.map(({ title }) => title);
  expect(await titles(10)).not.toContain('Retention policies');
  expect(JSON.stringify((await read(10)).paper)).not.toContain('Stored data last verified');
  expect(await titles(11)).toContain('Retention policies');
  expect((await read(11)).content.changes).toEqual([]);
});

test('a policy on files names its sites, drives, folders and files', async () => {
  const policyId = await policyInForce('Contracts', { amount: 4, about: 'files', is_everything: false });
  const [legal, sales] = await Promise.all(
    ['Legal', 'Sales'].map((name) => aResource(database, ground, { kind: 'site', workload: 'sharepoint', name })),
  );
  await database.within(ground.scope, (tx) =>
    tx
      .insertInto('retention_policy_places')
      .values([
        { policy_id: policyId, resource_id: legal ?? '', item_key: '', name: 'Legal', is_container: true },
        { policy_id: policyId, resource_id: sales ?? '', item_key: 'item:1', name: 'Offers', is_container: true },
      ])
      .execute(),
  );
  await service.make(asking, ground.tenantId);
  const section = (await read(12)).paper.sections.find(({ title }) => title === 'Retention policies');
  expect(JSON.stringify(section)).toContain('Applies to: Legal, Sales: Offers');
  expect(JSON.stringify(section)).toContain('Kept for at least: 4 years from the end of the fiscal year · Last change');
});

test('a year after the newest version somebody is reminded, once', async () => {
  await clock.advance(364 * 86_400_000);
  await service.remind(ground.scope);
  expect(reminders).toEqual([]);
  await clock.advance(2 * 86_400_000);
  await service.remind(ground.scope);
  await service.remind(ground.scope);
  expect(reminders).toHaveLength(1);
});

test('another organisation finds no version', async () => {
  const other = await aGround(database);
  await expect(service.get(other.scope, { tenantId: ground.tenantId, number: 1 }, 'en')).rejects.toMatchObject({ code: 'not-found' });
  await expect(service.make({ ...asking, scope: other.scope }, ground.tenantId)).rejects.toMatchObject({ code: 'not-found' });
});
