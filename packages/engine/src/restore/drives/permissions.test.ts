import { graphError, type GraphClient } from '@holdfast/m365';
import { describe, expect, it } from 'vitest';
import { anItem } from '../../../testing/builders.ts';
import type { Json } from '../../ports/item.ts';
import { restorePermissions } from './permissions.ts';

const target = { driveId: 'd', itemId: 'i' };

/** A drive with these grants, what is asked of it, and what it answers to a request for a link. */
function aDrive(present: readonly object[] = [], refuse?: Error, link: object | Error = {}) {
  const asked: unknown[] = [];
  const note = async (_item: unknown, body: unknown) => {
    if (refuse) throw refuse;
    asked.push(body);
    return {};
  };
  const createLink = async (item: unknown, body: unknown) => {
    await note(item, body);
    if (link instanceof Error) throw link;
    return { id: 'link', ...link };
  };
  async function* permissions() {
    yield* present;
  }
  return { asked, graph: { drives: { permissions, invite: note, createLink } } as unknown as GraphClient };
}

const withGrants = (...permissions: readonly Json[]) => anItem('f', { kind: 'file', properties: { permissions } });
const ann = { grantedToV2: { user: { id: 'ann' } }, roles: ['write'] };

it('gives back who had access, by id or by address, with the end of it and without owners and what is inherited', async () => {
  const { graph, asked } = aDrive();
  const item = withGrants(
    { ...ann, expirationDateTime: '2030-01-01T00:00:00Z' },
    { grantedToV2: { group: { email: 'sales@contoso.com' } }, roles: ['read'] },
    { grantedToV2: { siteUser: { email: 'guest@example.com' } }, roles: ['sp.full control'] },
    { grantedToV2: { user: { id: 'boss' } }, roles: ['owner'] },
    { grantedToV2: { user: { id: 'heir' } }, roles: ['read'], inheritedFrom: { id: 'above' } },
  );
  expect(await restorePermissions(graph, target, item)).toEqual(['permissionLevel sp.full control', 'permissionOwner']);
  const invited = { requireSignIn: true };
  expect(asked).toEqual([
    { ...invited, recipients: [{ objectId: 'ann' }], roles: ['write'], expirationDateTime: '2030-01-01T00:00:00Z' },
    { ...invited, recipients: [{ email: 'sales@contoso.com' }], roles: ['read'] },
    { ...invited, recipients: [{ email: 'guest@example.com' }], roles: ['read'] },
  ]);
});

const anonymous = { type: 'view', scope: 'anonymous' };
const people = { type: 'edit', scope: 'users' };

it('makes links for everybody again, and names the address, password and ban on downloads that they lost', async () => {
  const { graph, asked } = aDrive();
  const item = withGrants({ link: { ...anonymous, preventsDownload: true }, roles: ['read'], hasPassword: true });
  const lost = ['sharingLinkPassword', 'sharingLinkDownload', 'sharingLinkAddress'];
  expect(await restorePermissions(graph, target, item)).toEqual(lost);
  expect(asked).toEqual([anonymous]);
});

describe('a link for named people', () => {
  const bob = { user: { email: 'Bob@example.com' } };
  const shared = withGrants({ link: people, roles: ['write'], grantedToIdentitiesV2: [{ user: { id: 'ann' } }, bob] });
  const link = { ...people, recipients: [{ objectId: 'ann' }, { email: 'Bob@example.com' }] };

  it('comes back as one with the same people, whether the answer or only the list names them', async () => {
    const taken = { grantedToIdentitiesV2: [{ user: { id: 'ann' } }, { siteUser: { email: 'bob@example.com' } }] };
    for (const { graph, asked } of [aDrive([], undefined, taken), aDrive([{ id: 'link', ...taken }])]) {
      expect(await restorePermissions(graph, target, shared)).toEqual(['sharingLinkAddress']);
      expect(asked).toEqual([link]);
    }
  });

  it('gives direct access to those whom the service took into no link, and to all of them when it refuses the link', async () => {
    const grant = { roles: ['write'], requireSignIn: true };
    const one = aDrive([], undefined, { grantedToIdentitiesV2: [{ user: { id: 'ann' } }] });
    expect(await restorePermissions(one.graph, target, shared)).toEqual(['sharingLinkAddress', 'sharingLinkAsGrant']);
    expect(one.asked).toEqual([link, { ...grant, recipients: [{ email: 'Bob@example.com' }] }]);
    const none = aDrive([], undefined, graphError('graph.bad-request'));
    expect(await restorePermissions(none.graph, target, shared)).toContain('sharingLinkAsGrant');
    expect(none.asked[1]).toEqual({ ...grant, recipients: link.recipients });
  });

  it('is named when nobody knows for whom it was', async () => {
    const { graph, asked } = aDrive();
    expect(await restorePermissions(graph, target, withGrants({ link: people, roles: ['write'] }))).toEqual(['permission']);
    expect(asked).toEqual([]);
  });
});

it('says that a link that is there already has another address', async () => {
  const at = (webUrl: string) => ({ link: { ...anonymous, webUrl }, roles: ['read'] });
  expect(await restorePermissions(aDrive([at('new')]).graph, target, withGrants(at('old')))).toEqual(['sharingLinkAddress']);
  expect(await restorePermissions(aDrive([at('old')]).graph, target, withGrants(at('old')))).toEqual([]);
});

it('says that two links of one kind came back as one', async () => {
  const { graph } = aDrive();
  const link = { link: { type: 'view', scope: 'anonymous' }, roles: ['read'] };
  expect(await restorePermissions(graph, target, withGrants(link, link))).toContain('sharingLinksMerged');
  expect(await restorePermissions(graph, target, withGrants(link))).not.toContain('sharingLinksMerged');
});

it('names each level that an invitation does not have, and gives what it has of it', async () => {
  const { graph, asked } = aDrive();
  const custom = { grantedToV2: { user: { id: 'bob' } }, roles: ['write', 'Contribute without delete'] };
  expect(await restorePermissions(graph, target, withGrants(custom))).toEqual(['permissionLevel Contribute without delete']);
  expect(asked).toEqual([{ requireSignIn: true, recipients: [{ objectId: 'bob' }], roles: ['write'] }]);
});

it('says nothing of an owner who still is one', async () => {
  const boss = { grantedToV2: { user: { id: 'boss' } }, roles: ['owner'] };
  const { graph, asked } = aDrive([boss]);
  expect(await restorePermissions(graph, target, withGrants(boss))).toEqual([]);
  expect(asked).toEqual([]);
});

it('doubles nothing that is there, and asks nothing for what nobody shared', async () => {
  const { graph, asked } = aDrive([ann]);
  expect(await restorePermissions(graph, target, withGrants(ann))).toEqual([]);
  expect(await restorePermissions(graph, target, anItem('f', { kind: 'file' }))).toEqual([]);
  expect(asked).toEqual([]);
});

it('names what was refused and what is nobody’s, and passes on what concerns more than this file', async () => {
  const nobody = withGrants({ grantedToV2: { user: { displayName: 'Somebody' } }, roles: ['read'] });
  expect(await restorePermissions(aDrive().graph, target, nobody)).toEqual(['permission']);
  const refused = aDrive([], graphError('graph.sharing-refused')).graph;
  expect(await restorePermissions(refused, target, withGrants(ann))).toEqual(['permission']);
  const throttled = aDrive([], graphError('graph.permission-missing')).graph;
  await expect(restorePermissions(throttled, target, withGrants(ann))).rejects.toMatchObject({ code: 'graph.permission-missing' });
});
