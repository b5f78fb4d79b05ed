import { silentLogger } from '@holdfast/foundation/logger';
import { createSeededRandom } from '@holdfast/foundation/random';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHurriedClock } from '../../testing/hurried-clock.ts';
import { createRig, type Rig } from '../../testing/rig.ts';
import { pointOf } from '../restore/point.ts';
import { createRestore } from '../restore/create-restore.ts';
import { silentProgress } from '../ports/progress.ts';
import { createDrill } from './create-drill.ts';

async function* changed(bytes: AsyncIterable<Uint8Array>, change: (text: string) => string): AsyncGenerator<Uint8Array, void, undefined> {
  yield Buffer.from(change((await Array.fromAsync(bytes, (part) => Buffer.from(part).toString('latin1'))).join('')), 'latin1');
}

describe('a drill', () => {
  let rig: Rig;
  let userId = '';

  beforeAll(async () => {
    rig = await createRig({ recipes: ['tiny'], clockOfEngine: createHurriedClock() });
    for await (const user of rig.graph.directory.users()) if (user.userType === 'Member' && user.accountEnabled) userId = user.id;
  });
  afterAll(() => rig.close());

  for (const kind of ['mailbox', 'drive'] as const) {
    it(`restores samples of a ${kind}, reads them back and keeps evidence`, async () => {
      const source = rig.resource(kind, userId);
      await rig.backup(source);
      const { vault, graph, catalog, clock } = rig;
      const drill = createDrill({ vault, graph, catalog, clock, random: createSeededRandom(3), logger: silentLogger });
      const request = { runId: rig.ids.uuid(), source, target: source, folder: 'Holdfast drill', samples: 6 };
      const evidence = await drill.run(request, new AbortController().signal);
      expect(evidence.items).toHaveLength(6);
      expect(evidence.passed).toBe(true);
      expect(evidence.items.every((item) => item.isReadable && item.isEqualToSource !== false)).toBe(true);
      expect(rig.outbox()).toEqual([]);
    });
  }

  it('rehearses what was chosen and nothing else, and leaves what is there as it is', async () => {
    const source = rig.resource('mailbox', userId);
    const messages = (await rig.items(source)).filter((item) => item.kind === 'message' && item.properties['isDraft'] !== true);
    const folder = messages[0]?.parentKey ?? '';
    const inside = messages.filter((item) => item.parentKey === folder);
    expect([inside.length > 0, inside.length < messages.length]).toEqual([true, true]);
    const { vault, graph, catalog, clock } = rig;
    const drill = createDrill({ vault, graph, catalog, clock, random: createSeededRandom(3), logger: silentLogger });
    const request = { runId: rig.ids.uuid(), source, target: source, folder: 'Rehearsal', selection: [folder], samples: 1_000 };
    const evidence = await drill.run(request, new AbortController().signal);
    expect(new Set(evidence.items.map((item) => item.key))).toEqual(new Set(inside.map((item) => item.key)));
    expect(evidence.passed).toBe(true);
    expect(rig.outbox()).toEqual([]);
  });

  it('does not pass a copy of which a byte of an attachment or a word is other than in the vault', async () => {
    const source = rig.resource('mailbox', userId);
    const { vault, graph, catalog, clock } = rig;
    const real = graph.exchange.mail;
    /** The service, but what it gives back of a message that this drill has made has other bytes. */
    const forged = (change: (text: string) => string): typeof graph => {
      const mail: typeof real = { ...real, mime: (ref) => ({ ...real.mime(ref), bytes: changed(real.mime(ref).bytes, change) }) };
      return { ...graph, exchange: { ...graph.exchange, mail } };
    };
    const drilled = async (change: (text: string) => string) => {
      const drill = createDrill({ vault, graph: forged(change), catalog, clock, random: createSeededRandom(5), logger: silentLogger });
      const request = { runId: rig.ids.uuid(), source, target: source, folder: 'Forged', samples: 1_000 };
      return (await drill.run(request, new AbortController().signal)).items.filter((item) => item.kind === 'message');
    };
    const words = await drilled((text) => text.replace(/^Subject: .*$/mu, 'Subject: Something else'));
    expect(words.every((item) => !item.isRestored && item.differences.includes('subject'))).toBe(true);
    const bytes = await drilled((text) =>
      text.replaceAll(/^([A-Za-z0-9+/]{60,})$/gmu, (line) => `${line.startsWith('B') ? 'C' : 'B'}${line.slice(1)}`),
    );
    expect(bytes.some((item) => !item.isRestored && item.differences.includes('content'))).toBe(true);
  });

  it('is planned without writing anything', async () => {
    const source = rig.resource('mailbox', userId);
    const { vault, graph, catalog, clock } = rig;
    const refuse = () => Promise.reject(new Error('A plan has no report.'));
    const report = { begin: refuse, uploading: refuse, tell: refuse };
    const restore = createRestore({ vault, graph, catalog, progress: silentProgress, report, clock, logger: silentLogger });
    const before = await rig.truth('mail', userId);
    const { sequence } = await pointOf(catalog, source);
    const plan = await restore.plan(
      { runId: rig.ids.uuid(), source, sequence, selection: 'all', target: { resource: source }, collisions: 'skip' },
      new AbortController().signal,
    );
    expect(plan.items).toBe(
      (await rig.items(source)).filter((item) =>
        ['message', 'event', 'contact', 'task', 'rule', 'category', 'mailboxSettings'].includes(item.kind),
      ).length,
    );
    expect(plan.collisions).toBeGreaterThan(0);
    expect(plan.missingRoles).toEqual([]);
    expect(await rig.truth('mail', userId)).toEqual(before);
  });

  it('and a restore name the roles that are missing before the first write', async () => {
    const tenantId = rig.simulator.tenants[0]?.tenantId ?? '';
    rig.simulator.control.withdraw(tenantId, ['Mail.ReadWrite', 'Calendars.ReadWrite']);
    rig.simulator.control.revokeTokens(tenantId);
    const source = rig.resource('mailbox', userId);
    const before = await rig.truth('mail', userId);
    await expect(rig.restore({ source, selection: 'all', target: { resource: source }, collisions: 'keepBoth' })).rejects.toMatchObject({
      code: 'restore.roles-missing',
    });
    expect(await rig.truth('mail', userId)).toEqual(before);
  });
});
