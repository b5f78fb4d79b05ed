import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runClient } from '../testing/run-client.ts';
import { startSimulator, type Simulator } from './index.ts';

let simulator: Simulator;
let team: string;
let user: string;

beforeAll(async () => {
  simulator = await startSimulator({ recipes: ['tiny'], seed: 5 });
  const { control } = simulator;
  const { directory } = control.tenant(simulator.tenants[0]?.tenantId ?? '');
  team = directory.groups().find((group) => group.isTeam)?.id ?? '';
  user = directory.users().find((person) => person.kind === 'member')?.id ?? '';
});

afterAll(async () => {
  await simulator.close();
});

/** One for each area of the typed client that has a package. */
describe("Microsoft's typed client, unmodified", () => {
  it('reads and writes people, their mail, calendar, contacts and tasks (@microsoft/msgraph-sdk-users)', async () => {
    const people = simulator.control.tenant(simulator.tenants[0]?.tenantId ?? '').directory.users().length;
    expect(await runClient(simulator, 'typed-users')).toEqual({
      users: people,
      counted: people,
      hasDelta: true,
      unknown:
        "BadRequest: Parsing OData Select and Expand failed: Could not find a property named 'nonsense' on type 'microsoft.graph.user'.",
      unsorted: "Request_UnsupportedQuery: Filter operator 'NotEqualsMatch' is not supported.",
      folders: true,
      messages: 2,
      isDated: true,
      whole: true,
      mime: true,
      mailDelta: true,
      made: ['high', true, true, ['red']],
      settings: 'string',
      rules: true,
      categories: true,
      event: ['typed', '2026-05-04T09:00:00.0000000', true],
      contact: ['string', 'Ann Typed', true],
      task: ['typed', 'low', 'first'],
      drive: 'business',
      licences: 1,
      missing: expect.stringContaining('Error'),
    });
  });

  it('reads and writes sites, lists and items (@microsoft/msgraph-sdk-sites)', async () => {
    expect(await runClient(simulator, 'typed-sites')).toEqual({
      sites: true,
      itself: true,
      delta: true,
      drives: true,
      subsites: true,
      columns: true,
      contentTypes: true,
      fields: ['first', 'blue'],
      itemDelta: true,
      versions: true,
      listColumns: true,
      pages: true,
      malformed: 'invalidRequest: Invalid hostname for this tenancy',
    });
  });

  it('reads and writes teams and channels (@microsoft/msgraph-sdk-teams)', async () => {
    expect(await runClient(simulator, 'typed-teams', { TEAM_ID: team })).toEqual({
      name: 'string',
      members: true,
      channels: true,
      every: true,
      messages: true,
      isDated: true,
      delta: true,
      tabs: true,
      folder: 'string',
      apps: true,
      changed: 'changed',
      malformed: 'BadRequest: teamId needs to be a valid GUID.',
    });
  });

  it('reads chats (@microsoft/msgraph-sdk-chats)', async () => {
    expect(await runClient(simulator, 'typed-chats', { USER_ID: user })).toEqual({
      chats: true,
      expanded: true,
      members: true,
      messages: true,
      isDated: true,
      missing: true,
    });
  });

  it('reads the organisation (@microsoft/msgraph-sdk-organization)', async () => {
    expect(await runClient(simulator, 'typed-organization')).toEqual({
      organization: 1,
      domains: true,
      name: null,
      unknown: expect.stringContaining("Could not find a property named 'nonsense' on type 'microsoft.graph.organization'"),
    });
  });

  it('got only answers that the metadata allows', () => {
    expect(simulator.control.violations()['csdl']).toEqual([]);
  });
});
