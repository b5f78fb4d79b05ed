import type { Group, LicenseDetails, Organization, SubscribedSku, User } from '@microsoft/microsoft-graph-types';
import { graphError } from '../errors/errors.ts';
import type { Caller } from '../client/caller.ts';
import { asKnown, asObject } from '../client/checks.ts';
import type { Known } from '../client/calls.ts';
import { readDelta } from '../client/paging/delta.ts';
import { list, listOf, readAll } from '../client/paging/listing.ts';
import { UNSIZED, type PageSize } from '../client/paging/page.ts';
import type { DirectoryCalls } from './directory-api.ts';

const USER_FIELDS =
  'id,userPrincipalName,mail,displayName,userType,accountEnabled,assignedLicenses,proxyAddresses,department,jobTitle,createdDateTime';
/** What a list of everybody says beside that: where somebody works, for rules that go by it. */
const ATTRIBUTE_FIELDS = 'officeLocation,country,companyName,onPremisesExtensionAttributes';
const DELETED_FIELDS = 'id,userPrincipalName,displayName,deletedDateTime';
/** Which of these a member has depends on what it is. */
const MEMBER_FIELDS = 'id,userPrincipalName,mail,displayName,userType,accountEnabled,proxyAddresses';
const OWNER_FIELDS = 'id,userPrincipalName,mail,displayName,accountEnabled';
const GROUP_FIELDS = 'id,displayName,description,mail,mailNickname,visibility,groupTypes,resourceProvisioningOptions,createdDateTime';
const DIRECTORY_PAGE: PageSize = { by: 'top', size: 999 };
const TEAMS_ONLY = "resourceProvisioningOptions/Any(x:x eq 'Team')";
const PHOTO_LIMIT_BYTES = 32 * 1024 * 1024;

async function organization(caller: Caller): Promise<Known<Organization>> {
  const [first] = await readAll(list<Organization>(caller, { route: 'GET /organization' }, UNSIZED));
  if (!first) throw graphError('graph.unexpected-response', { request: 'GET /organization', reason: 'no organisation' });
  return first;
}

/** Calls of the directory. */
export function createDirectoryCalls(caller: Caller): DirectoryCalls {
  return Object.freeze<DirectoryCalls>({
    organization: () => organization(caller),
    subscribedSkus: () => readAll(list<SubscribedSku>(caller, { route: 'GET /subscribedSkus' }, UNSIZED)),
    users: () => list<User>(caller, { route: 'GET /users', query: { $select: `${USER_FIELDS},${ATTRIBUTE_FIELDS}` } }, DIRECTORY_PAGE),
    deletedUsers: () =>
      list<User>(caller, { route: 'GET /directory/deletedItems/microsoft.graph.user', query: { $select: DELETED_FIELDS } }, DIRECTORY_PAGE),
    userDelta: (cursor) =>
      readDelta<User>(caller, { call: { route: 'GET /users/delta', query: { $select: USER_FIELDS } }, page: UNSIZED }, cursor),
    user: ({ userId }) => caller.known({ route: 'GET /users/{id}', params: [userId], query: { $select: USER_FIELDS } }),
    licenseDetails: ({ userId }) =>
      readAll(listOf<LicenseDetails>(caller, { route: 'GET /users/{id}/licenseDetails', params: [userId] }, UNSIZED, asObject)),
    photo: ({ userId }) => caller.bytes({ route: 'GET /users/{id}/photo/$value', params: [userId] }, PHOTO_LIMIT_BYTES),
    setPhoto: ({ userId }, photo) => caller.send({ route: 'PUT /users/{id}/photo/$value', params: [userId], raw: photo }),
    groups: (options = {}) =>
      list<Group>(
        caller,
        { route: 'GET /groups', query: { $select: GROUP_FIELDS, ...(options.teamsOnly ? { $filter: TEAMS_ONLY } : {}) } },
        DIRECTORY_PAGE,
      ),
    groupDelta: (cursor) =>
      readDelta<Group>(caller, { call: { route: 'GET /groups/delta', query: { $select: GROUP_FIELDS } }, page: UNSIZED }, cursor),
    groupMembers: ({ groupId }) =>
      listOf<Known<User>>(
        caller,
        { route: 'GET /groups/{id}/transitiveMembers', params: [groupId], query: { $select: MEMBER_FIELDS } },
        DIRECTORY_PAGE,
        asKnown,
      ),
    groupOwners: ({ groupId }) =>
      listOf<Known<User>>(
        caller,
        { route: 'GET /groups/{id}/owners', params: [groupId], query: { $select: OWNER_FIELDS } },
        DIRECTORY_PAGE,
        asKnown,
      ),
  });
}
