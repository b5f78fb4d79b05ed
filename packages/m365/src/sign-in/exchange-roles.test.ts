import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSimulatedTenant, type SimulatedTenant } from '../../testing/simulated-tenant.ts';
import { createGraphClient } from '../create-graph-client.ts';
import { isGraphError } from '../errors/errors.ts';
import type { GraphClient } from '../graph-client.ts';
import type { Diagnosis } from '../diagnosis/diagnosis.ts';

const EXCHANGE = /^(?:Mail|Mail-Advanced|MailboxSettings|Calendars|Contacts)\./u;
const READS = ['Mail.Read', 'MailboxSettings.Read', 'Calendars.Read', 'Contacts.Read'];
const WRITES = READS.map((role) => `${role}Write`);

async function codeOf(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return isGraphError(error) ? error.code : String(error);
  }
}

async function first(values: AsyncIterable<unknown>): Promise<void> {
  for await (const _value of values) return;
}

const statesOf = ({ roles }: Diagnosis, wanted: readonly string[]): readonly string[] =>
  wanted.map((name) => roles.find(({ role }) => role === name)?.state ?? '');

describe('roles that Exchange grants for some mailboxes', () => {
  let tenant: SimulatedTenant;
  let inside = '';
  let outside = '';

  beforeAll(async () => {
    tenant = await startSimulatedTenant({ recipes: ['tiny'] });
    const { simulator, access } = tenant;
    [outside = '', inside = ''] = simulator.control.owners(access.tenantId, 'mail').map(({ owner }) => owner);
    const { roles } = await tenant.client.diagnose();
    simulator.control.withdraw(
      access.tenantId,
      roles.map(({ role }) => role).filter((role) => EXCHANGE.test(role)),
    );
  });
  afterAll(() => tenant.close());

  async function withClient<T>(use: (client: GraphClient) => Promise<T>): Promise<T> {
    const client = createGraphClient(tenant.options);
    try {
      return await use(client);
    } finally {
      await client.close();
    }
  }
  const grant = (roles: readonly string[]): void =>
    tenant.simulator.control.changeApp(tenant.access.tenantId, { exchange: { roles, mailboxes: [inside] } });

  it('are missing while Exchange grants none', async () => {
    await withClient(async (client) => {
      const diagnosis = await client.diagnose();
      expect(statesOf(diagnosis, [...READS, ...WRITES])).toEqual(Array.from({ length: 8 }, () => 'missing'));
      expect(diagnosis.canBackUp).not.toContain('exchange');
      expect(await codeOf(() => first(client.exchange.mail.folders({ userId: outside })))).toBe('graph.permission-missing');
    });
  });

  it('are found by reading one mailbox, though no token names them; what only a write shows is said to be unproven', async () => {
    grant(READS);
    await withClient(async (client) => {
      const diagnosis = await client.diagnose();
      expect(statesOf(diagnosis, READS)).toEqual(['scoped', 'scoped', 'scoped', 'scoped']);
      expect(statesOf(diagnosis, WRITES)).toEqual(['unproven', 'unproven', 'unproven', 'unproven']);
      expect(diagnosis.canBackUp).toContain('exchange');
    });
  });

  it('open the mailboxes of their scope and close the others, which are no missing permission', async () => {
    grant(READS);
    await withClient(async (client) => {
      const { mail, calendar, contacts, settings } = client.exchange;
      for (const userId of [inside, outside]) {
        const expected = userId === inside ? undefined : 'graph.mailbox-closed';
        expect(await codeOf(() => first(mail.folders({ userId })))).toBe(expected);
        expect(await codeOf(() => first(calendar.calendars({ userId })))).toBe(expected);
        expect(await codeOf(() => first(contacts.contactFolders({ userId })))).toBe(expected);
        expect(await codeOf(() => settings.settings({ userId }))).toBe(expected);
      }
    });
  });

  it('say the same of a part of a batch as of the request alone', async () => {
    grant(READS);
    await withClient(async ({ exchange: { mail } }) => {
      for (const userId of [inside, outside]) {
        const single = await codeOf(() => mail.createFolder({ userId }, { displayName: 'Alone' }));
        const parts = await mail.createFolders({ userId }, [{ displayName: 'One' }, { displayName: 'Two' }]);
        const codes = parts.map((part) => ('error' in part && isGraphError(part.error) ? part.error.code : undefined));
        expect(codes).toEqual([single, single]);
      }
    });
  });

  it('never cover To Do, and a write that they lack is a missing permission', async () => {
    grant([...READS, 'Tasks.Read.All']);
    const { control } = tenant.simulator;
    control.withdraw(tenant.access.tenantId, ['Tasks.Read.All', 'Tasks.ReadWrite.All']);
    await withClient(async (client) => {
      expect(await codeOf(() => first(client.exchange.todo.lists({ userId: inside })))).toBe('graph.permission-missing');
      const folder = { userId: inside, displayName: 'New' };
      expect(await codeOf(() => client.exchange.mail.createFolder(folder, { displayName: 'New' }))).toBe('graph.permission-missing');
    });
    control.grant(tenant.access.tenantId, ['Tasks.Read.All', 'Tasks.ReadWrite.All']);
  });
});
