import { described, entriesOf, idOf, personWith, unlessOk, unlessRefused } from './expectations.ts';
import type { Probe } from './probe.ts';
import { NotAsked } from './probe-errors.ts';
import type { ServiceReader } from './service-reader.ts';

const IMMUTABLE = { prefer: 'IdType="ImmutableId"' };

const mailboxOf = (service: ServiceReader): Promise<string> => personWith(service, '/mailFolders/inbox?$select=id', 'a mailbox');

async function aMessage(service: ServiceReader): Promise<string> {
  const user = await mailboxOf(service);
  const [message] = entriesOf(await service.get(`/users/${user}/mailFolders/inbox/messages?$select=id&$top=1`, IMMUTABLE), 'messages');
  return `/users/${user}/messages/${idOf(message, 'message')}`;
}

async function aDrive(service: ServiceReader): Promise<string> {
  const user = await personWith(service, '/drive?$select=id', 'a OneDrive');
  return `/drives/${idOf((await service.get(`/users/${user}/drive?$select=id`)).json, 'OneDrive')}`;
}

/** The first file that a page of the delta names. */
async function aFile(service: ServiceReader): Promise<string> {
  const drive = await aDrive(service);
  const page = entriesOf(await service.get(`${drive}/root/delta`), 'files');
  const file = page.find((entry) => entry['file'] !== undefined && entry['deleted'] === undefined && Number(entry['size']) > 0);
  return `${drive}/items/${idOf(file, 'file in the first page of a OneDrive')}`;
}

/** Mail: identity, deltas, content. */
export const mailProbes: readonly Probe[] = [
  {
    name: 'immutable-ids',
    relies: 'Prefer: IdType="ImmutableId" is applied to mail, and said so.',
    async difference(service) {
      const user = await mailboxOf(service);
      const { headers } = await service.get(`/users/${user}/mailFolders/inbox/messages?$select=id&$top=1`, IMMUTABLE);
      const applied = headers['preference-applied'] ?? '';
      return /immutableid/iu.test(applied) ? undefined : `Preference-Applied is "${applied}"`;
    },
  },
  {
    name: 'message-delta',
    relies: 'A delta of messages heeds odata.maxpagesize, and ends each page with exactly one link.',
    async difference(service) {
      const user = await mailboxOf(service);
      const prefer = `${IMMUTABLE.prefer}, odata.maxpagesize=2`;
      const answer = await service.get(`/users/${user}/mailFolders/inbox/messages/delta?$select=id,isRead`, { prefer });
      const count = entriesOf(answer, 'messages').length;
      if (count > 2) return `a page of two has ${count} entries`;
      const links = ['@odata.nextLink', '@odata.deltaLink'].filter((name) => typeof answer.json[name] === 'string');
      return links.length === 1 ? undefined : `a page has ${links.length} links`;
    },
  },
  {
    name: 'message-delta-token',
    relies: 'A delta token that is none is refused with 400 or 410.',
    async difference(service) {
      const user = await mailboxOf(service);
      const answer = await service.get(`/users/${user}/mailFolders/inbox/messages/delta?$deltatoken=holdfast`);
      return answer.status === 400 || answer.status === 410 ? undefined : described(answer);
    },
  },
  {
    name: 'message-mime',
    relies: '$value of a message is MIME.',
    async difference(service) {
      const answer = await service.get(`${await aMessage(service)}/$value`, { ...IMMUTABLE, accept: '*/*' });
      if (answer.status !== 200) return described(answer);
      return /^[!-9;-~]+:/mu.test(answer.text.slice(0, 2000)) ? undefined : 'the content begins with no header';
    },
  },
  {
    name: 'hidden-folders',
    relies: 'includeHiddenFolders is taken when folders are listed.',
    difference: async (service) =>
      unlessOk(await service.get(`/users/${await mailboxOf(service)}/mailFolders?includeHiddenFolders=true&$top=10&$select=id,isHidden`)),
  },
];

/** Files: deltas, content by an address of its own, malformed ids. */
export const driveProbes: readonly Probe[] = [
  {
    name: 'malformed-drive-id',
    relies: 'An id that cannot be that of a drive is refused with 400 invalidRequest.',
    difference: async (service) => unlessRefused(await service.get('/drives/holdfast/root'), 400, ['invalidRequest']),
  },
  {
    name: 'drive-delta-token',
    relies: 'token=latest answers a deltaLink at once.',
    async difference(service) {
      const answer = await service.get(`${await aDrive(service)}/root/delta?token=latest`);
      if (answer.status !== 200) return described(answer);
      return typeof answer.json['@odata.deltaLink'] === 'string' ? undefined : 'there is no deltaLink';
    },
  },
  {
    name: 'content-redirect',
    relies: 'The content of a file is a redirect to an address that needs no token and serves ranges.',
    async difference(service) {
      const answer = await service.get(`${await aFile(service)}/content`, { accept: '*/*' });
      const address = answer.headers['location'];
      if (answer.status !== 302 || address === undefined) return described(answer);
      const part = await service.getContent(address, { range: 'bytes=0-0' });
      return part.status === 206 && part.text.length <= 3 ? undefined : `a range of it: ${described(part)}`;
    },
  },
];

/** Sites and teams: what cannot be an id, and pages. */
export const collaborationProbes: readonly Probe[] = [
  {
    name: 'malformed-site-id',
    relies: 'A site of no host of the tenant is refused with 400 invalidRequest.',
    difference: async (service) => unlessRefused(await service.get('/sites/holdfast.invalid:/sites/a'), 400, ['invalidRequest']),
  },
  {
    name: 'all-sites',
    relies: 'getAllSites lists the sites of the tenant.',
    async difference(service) {
      const answer = await service.get('/sites/getAllSites?$top=1');
      if (answer.status === 403) throw new NotAsked('the application may not read sites');
      return unlessOk(answer);
    },
  },
  {
    name: 'malformed-team-id',
    relies: 'An id of a team that is no GUID is refused with 400.',
    difference: async (service) => unlessRefused(await service.get('/teams/holdfast'), 400, ['BadRequest', 'Request_BadRequest']),
  },
  {
    name: 'channel-messages',
    relies: 'Messages of a channel come in pages of 50, with their replies.',
    async difference(service) {
      const teams = entriesOf(
        await service.get("/groups?$filter=resourceProvisioningOptions/Any(x:x eq 'Team')&$select=id&$top=1"),
        'teams',
      );
      const team = idOf(teams[0], 'team');
      const channel = idOf(entriesOf(await service.get(`/teams/${team}/channels`), 'channels')[0], 'channel');
      const answer = await service.get(`/teams/${team}/channels/${channel}/messages?$top=50&$expand=replies`);
      if (answer.status === 403) throw new NotAsked('the application may not read messages of channels');
      return unlessOk(answer);
    },
  },
];
