import { describe, expect, it } from 'vitest';
import { directoryWorkload } from '../directory/directory-workload.ts';
import { placesOf } from '../places/places.ts';
import { answerTo, collection, type DocumentedRow, entity, missingRows } from '../testing/documented-rows.ts';
import { createInProcess, type InProcess } from '../testing/in-process.ts';
import type { Shape } from '../testing/shape.ts';
import { drivesWorkload } from './drives-workload.ts';

const text = 'string';
const number = 'number';
const person: Shape = { user: { email: text, id: text, displayName: text } };
const app: Shape = { application: { id: text, displayName: text } };

const drive: { readonly [name: string]: Shape } = {
  id: text,
  driveType: text,
  name: text,
  description: text,
  webUrl: text,
  createdDateTime: text,
  lastModifiedDateTime: text,
  createdBy: { user: { displayName: text } },
  owner: person,
  quota: { deleted: number, remaining: number, state: text, total: number, used: number },
};

function item(by: Shape, more: { readonly [name: string]: Shape }): { readonly [name: string]: Shape } {
  return {
    '@odata.etag': text,
    id: text,
    name: text,
    size: number,
    eTag: text,
    cTag: text,
    webUrl: text,
    createdDateTime: text,
    lastModifiedDateTime: text,
    createdBy: by,
    lastModifiedBy: by,
    parentReference: { driveId: text, driveType: text, id: text, name: text, path: text, siteId: text },
    fileSystemInfo: { createdDateTime: text, lastModifiedDateTime: text },
    ...more,
  };
}

const file = { '@microsoft.graph.downloadUrl': text, file: { mimeType: text, hashes: { quickXorHash: text } } };
const folder = { folder: { childCount: number } };
const session: Shape = entity({ uploadUrl: text, expirationDateTime: text, nextExpectedRanges: [text] });
const user: Shape = { id: text, displayName: text, email: text };
const siteUser: Shape = { id: text, displayName: text, email: text, loginName: text };
const grant: Shape = { id: text, roles: [text], grantedToV2: { user, siteUser }, grantedTo: { user } };
const groupDrive = { ...drive, owner: { group: { id: text, displayName: text, email: text } } };
const { owner: _owner, ...siteDrive } = drive;

const library = (sim: InProcess): string => placesOf(sim.tenant).driveOfUser(sim.tenant.directory.users()[0]?.id ?? '')?.driveId ?? '';
const base = (sim: InProcess): string => `/drives/${library(sim)}`;

async function aFile(sim: InProcess, versions = 1): Promise<string> {
  let id = '';
  for (let version = 0; version < versions; version += 1) {
    id = (await sim.ask('PUT', `${base(sim)}/root:/plan.txt:/content`, { body: Buffer.from(`v${version}`) })).json['id'] as string;
  }
  return `${base(sim)}/items/${id}`;
}

async function aFolder(sim: InProcess): Promise<string> {
  const { json } = await sim.ask('POST', `${base(sim)}/root/children`, { body: { name: 'Reports', folder: {} } });
  return `${base(sim)}/items/${json['id'] as string}`;
}

const rows: readonly DocumentedRow[] = [
  {
    row: 'GET /users/{id}/drive',
    ask: (sim) => `/users/${sim.tenant.directory.users()[0]?.id ?? ''}/drive`,
    status: 200,
    shape: entity(drive),
  },
  {
    row: 'GET /groups/{id}/drives',
    ask: (sim) => `/groups/${sim.tenant.directory.groups()[0]?.id ?? ''}/drives`,
    status: 200,
    shape: collection(groupDrive),
  },
  {
    row: 'GET /sites/{id}/drives',
    ask: (sim) => `/sites/${placesOf(sim.tenant).sites.find((site) => site.lists > 0)?.id ?? ''}/drives`,
    status: 200,
    shape: collection({ ...siteDrive, owner: {} }),
  },
  { row: 'GET /drives/{id}', ask: base, status: 200, shape: entity(drive) },
  {
    row: 'GET /drives/{id}/root',
    ask: (sim) => `${base(sim)}/root`,
    status: 200,
    shape: entity({ ...item(person, { ...folder, root: {} }), parentReference: { driveId: text, driveType: text } }),
  },
  {
    row: 'GET /drives/{id}/root/delta',
    async ask(sim) {
      const { deltaLink } = await sim.all(`${base(sim)}/root/delta?token=latest`);
      await aFile(sim);
      return deltaLink ?? '';
    },
    status: 200,
    shape: {
      '@odata.context': text,
      '@odata.deltaLink': text,
      value: [
        Object.fromEntries(
          Object.entries({
            '@odata.type': text,
            ...item(app, file),
            parentReference: { driveId: text, driveType: text, id: text, name: text, path: text, siteId: text },
          }).filter(([name]) => name !== 'cTag'),
        ),
      ],
    },
  },
  { row: 'GET /drives/{id}/items/{id}', ask: aFile, status: 200, shape: entity(item(app, file)) },
  {
    row: 'PATCH /drives/{id}/items/{id}',
    ask: aFile,
    body: { name: 'renamed.txt', fileSystemInfo: { lastModifiedDateTime: '2020-01-01T00:00:00Z' } },
    status: 200,
    shape: entity(item(app, file)),
  },
  { row: 'DELETE /drives/{id}/items/{id}', ask: aFile, status: 204 },
  {
    row: 'GET /drives/{id}/items/{id}:/{path}',
    async ask(sim) {
      await aFile(sim);
      return `${base(sim)}/items/root:/plan.txt`;
    },
    status: 200,
    shape: entity(item(app, file)),
  },
  {
    row: 'GET /drives/{id}/items/{id}/children',
    async ask(sim) {
      const parent = await aFolder(sim);
      await sim.ask('PUT', `${parent}:/inner.txt:/content`, { body: Buffer.from('x') });
      return `${parent}/children`;
    },
    status: 200,
    shape: collection(item(app, file)),
  },
  {
    row: 'POST /drives/{id}/items/{id}/children',
    ask: async (sim) => `${await aFolder(sim)}/children`,
    body: { name: 'Inner', folder: {} },
    status: 201,
    shape: entity(item(app, folder)),
  },
  { row: 'GET /drives/{id}/items/{id}/content', ask: async (sim) => `${await aFile(sim)}/content`, status: 302 },
  {
    row: 'PUT /drives/{id}/items/{id}/content',
    ask: async (sim) => `${await aFile(sim)}/content`,
    body: Buffer.from('new'),
    status: 200,
    shape: entity(item(app, file)),
  },
  {
    row: 'PUT /drives/{id}/items/{id}:/{name}:/content',
    ask: (sim) => `${base(sim)}/items/root:/new.txt:/content`,
    body: Buffer.from('new'),
    status: 201,
    shape: entity(item(app, file)),
  },
  {
    row: 'POST /drives/{id}/items/{id}:/{name}:/createUploadSession',
    ask: (sim) => `${base(sim)}/items/root:/new.bin:/createUploadSession`,
    body: { item: { name: 'new.bin' } },
    status: 200,
    shape: session,
  },
  {
    row: 'POST /drives/{id}/items/{id}/createUploadSession',
    ask: async (sim) => `${await aFile(sim)}/createUploadSession`,
    body: {},
    status: 200,
    shape: session,
  },
  {
    row: 'GET /drives/{id}/items/{id}/versions',
    ask: async (sim) => `${await aFile(sim, 2)}/versions`,
    status: 200,
    shape: collection({ '@microsoft.graph.downloadUrl': text, id: text, lastModifiedDateTime: text, lastModifiedBy: app, size: number }),
  },
  {
    row: 'GET /drives/{id}/items/{id}/versions/{id}/content',
    ask: async (sim) => `${await aFile(sim, 2)}/versions/1.0/content`,
    status: 302,
  },
  {
    row: 'GET /drives/{id}/items/{id}/permissions',
    ask: async (sim) => `${await aFile(sim)}/permissions`,
    status: 200,
    shape: collection(grant),
  },
  {
    row: 'POST /drives/{id}/items/{id}/invite',
    ask: async (sim) => `${await aFile(sim)}/invite`,
    body: (sim) => ({
      recipients: [{ email: sim.tenant.directory.users()[1]?.mail ?? '' }],
      roles: ['read'],
      requireSignIn: true,
      sendInvitation: false,
    }),
    status: 200,
    shape: collection(grant),
  },
  {
    row: 'POST /drives/{id}/items/{id}/createLink',
    ask: async (sim) => `${await aFile(sim)}/createLink`,
    body: { type: 'view', scope: 'organization' },
    status: 201,
    shape: entity({
      id: text,
      roles: [text],
      shareId: text,
      hasPassword: 'boolean',
      grantedToIdentitiesV2: [],
      grantedToIdentities: [],
      link: { type: text, scope: text, webUrl: text, preventsDownload: 'boolean' },
    }),
  },
  { row: 'POST /drives/{id}/items/{id}/permanentDelete', ask: async (sim) => `${await aFile(sim)}/permanentDelete`, status: 204 },
  { row: 'POST /drives/{id}/items/{id}/copy', ask: async (sim) => `${await aFile(sim)}/copy`, body: { name: 'copy.txt' }, status: 202 },
];

describe('drives answer in the documented shape', () => {
  it.each(rows)('$row', async (row) => {
    const sim = createInProcess({ workloads: [directoryWorkload, drivesWorkload], recipe: 'tiny' });
    expect(await answerTo(sim, row)).toEqual({ status: row.status, shape: row.shape });
    sim.requireValid();
  });

  it('and every route has its row', () => {
    expect(missingRows(drivesWorkload, rows)).toEqual([]);
  });
});
