import { graphError, type GraphClient } from '@holdfast/m365';
import { expect, it } from 'vitest';
import { anItem } from '../../../testing/builders.ts';
import type { Json } from '../../ports/item.ts';
import { restorePermissions } from './permissions.ts';

const target = { driveId: 'd', itemId: 'i' };

/** A drive with these grants, and what is asked of it. */
function aDrive(present: readonly object[] = [], refuse?: Error) {
  const asked: unknown[] = [];
  const note = async (_item: unknown, body: unknown) => {
    if (refuse) throw refuse;
    asked.push(body);
    return {};
  };
  async function* permissions() {
    yield* present;
  }
  return { asked, graph: { drives: { permissions, invite: note, createLink: note } } as unknown as GraphClient };
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

it('makes links anew and says that they have another address, and no password any more', async () => {
  const { graph, asked } = aDrive();
  const link = { type: 'view', scope: 'anonymous' };
  const item = withGrants({ link, roles: ['read'], hasPassword: true }, { ...ann, link: { ...link, scope: 'users' } });
  expect(await restorePermissions(graph, target, item)).toEqual(['sharingLinkPassword', 'sharingLinkAddress', 'sharingLinkAsGrant']);
  expect(asked).toEqual([link, { recipients: [{ objectId: 'ann' }], roles: ['write'], requireSignIn: true }]);
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
