import { beforeAll, describe, expect, it } from 'vitest';
import { type JsonObject, textOf } from '../values/json.ts';
import { createInProcess, type InProcess } from '../testing/in-process.ts';
import { workloads } from '../workloads.ts';

const GUID = '11111111-2222-3333-4444-555555555555';

describe('an id that cannot be one', () => {
  let simulator: InProcess;

  beforeAll(() => {
    simulator = createInProcess({ workloads });
  });

  it.each([
    ['/drives/nonsense/root', 400, 'invalidRequest', /drive id appears to be malformed/u],
    ['/drives/b!nonsense/root', 404, 'itemNotFound', /./u],
    ['/sites/nonsense', 400, 'invalidRequest', /Invalid hostname for this tenancy/u],
    [`/sites/elsewhere.sharepoint.com,${GUID},${GUID}`, 400, 'invalidRequest', /Invalid hostname for this tenancy/u],
    ['/sites/elsewhere.sharepoint.com:/sites/x', 400, 'invalidRequest', /Invalid hostname for this tenancy/u],
    [`/sites/tiny.sharepoint.com,${GUID},${GUID}`, 404, 'itemNotFound', /could not be found/u],
    ['/teams/nonsense', 400, 'BadRequest', /teamId needs to be a valid GUID/u],
    ['/teams/nonsense/channels', 400, 'BadRequest', /teamId needs to be a valid GUID/u],
    [`/teams/${GUID}`, 404, 'NotFound', /No team found/u],
    ['/groups/nonsense/members', 400, 'Request_BadRequest', /Invalid object identifier 'nonsense'/u],
    [`/groups/${GUID}/members`, 404, 'Request_ResourceNotFound', /./u],
    // A word may be a sign-in name: it is looked for.
    ['/users/nonsense', 404, 'Request_ResourceNotFound', /./u],
    [`/users/${GUID}`, 404, 'Request_ResourceNotFound', /./u],
  ])('%s answers %i %s', async (path, status, code, message) => {
    const label = simulator.tenant.directory.label;
    const answer = await simulator.get(path.replace('tiny.sharepoint', `${label}.sharepoint`));
    expect({ status: answer.status, ...answer.json }).toMatchObject({ status, error: { code, message: expect.stringMatching(message) } });
  });
});

describe('a batch', () => {
  const simulator = createInProcess({ workloads });
  const batch = (url: string) => simulator.ask('POST', '/$batch', { body: { requests: [{ id: '1', method: 'GET', url }] } });

  it.each(['/users?$top=1', 'users?$top=1'])('takes the address %s', async (url) => {
    const { json } = await batch(url);
    expect(json).toMatchObject({ responses: [{ id: '1', status: 200 }] });
  });

  it.each(['/v1.0/users', 'v1.0/users', '/beta/users'])('finds nothing at %s: the version is that of the batch', async (url) => {
    const { status, json } = await batch(url);
    const message = `Resource not found for the segment '${url.replace(/^\//u, '').split('/')[0] ?? ''}'.`;
    expect({ status, ...json }).toMatchObject({
      status: 200,
      responses: [{ id: '1', status: 400, body: { error: { code: 'BadRequest', message } } }],
    });
  });

  it('is refused as a whole when a part names a host', async () => {
    const { status, json } = await batch('https://graph.microsoft.com/v1.0/users');
    expect({ status, ...json }).toMatchObject({ status: 400, error: { code: 'BadRequest', message: 'Invalid batch payload format.' } });
  });
});

describe('a member of an enumeration', () => {
  const simulator = createInProcess({ workloads });

  it('is taken in any case, and kept as the metadata writes it', async () => {
    const { entries } = await simulator.all('/users?$select=id');
    const body: JsonObject = {
      subject: 's',
      importance: 'HIGH',
      body: { contentType: 'HTML', content: '<p>x</p>' },
      flag: { flagStatus: 'Flagged' },
    };
    const { status, json } = await simulator.ask('POST', `/users/${textOf(entries[0]?.['id'])}/mailFolders/inbox/messages`, {
      body,
    });
    expect({ status, ...json }).toMatchObject({
      status: 201,
      importance: 'high',
      body: { contentType: 'html' },
      flag: { flagStatus: 'flagged' },
    });
    simulator.requireValid();
  });

  it('is refused when it is none', async () => {
    const { entries } = await simulator.all('/users?$select=id');
    const body: JsonObject = { subject: 's', importance: 'enormous' };
    const { status } = await simulator.ask('POST', `/users/${textOf(entries[0]?.['id'])}/mailFolders/inbox/messages`, { body });
    expect(status).toBe(400);
  });
});
