import { once } from '@holdfast/foundation/streams';
import { describe, expect, it } from 'vitest';
import { aClient } from '../../testing/a-client.ts';
import { connectionLost, type ScriptedRequest } from '../../testing/scripted-transport.ts';
import { isGraphError } from '../errors/errors.ts';

const DRIVE = { driveId: 'd1' };
const ITEM = { ...DRIVE, itemId: 'i1' };
const LINK = 'https://graph.microsoft.com/v1.0/drives/d1/root/delta?token=t';

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const value of values) list.push(value);
  return list;
}

const bodyOf = (request: ScriptedRequest | undefined): Record<string, unknown> =>
  JSON.parse(String(request?.body)) as Record<string, unknown>;
const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (reason: unknown) => reason,
  );

describe('a drive', () => {
  it('that a user does not have is one thing, however the service says it', async () => {
    const answers = [
      { status: 404, json: { error: { code: 'itemNotFound', message: 'x' } } },
      { status: 404, json: { error: { code: 'ResourceNotFound', message: "User's mysite not found." } } },
      { status: 400, json: { error: { code: 'BadRequest', message: 'Tenant does not have a SPO license.' } } },
    ];
    for (const answer of answers) {
      const { client, run } = aClient(() => answer);
      expect(isGraphError(await failureOf(run(client.drives.userDrive({ userId: 'u1' }))), 'graph.drive-missing')).toBe(true);
    }
  });

  it('is followed with removals, closed folders and changes of sharing', async () => {
    const { client, run, transport } = aClient(() => ({
      json: {
        value: [
          { id: 'x', deleted: { state: 'deleted' } },
          { id: 'y', name: 'y' },
        ],
        '@odata.deltaLink': LINK,
      },
    }));
    const [step] = await run(all(client.drives.delta(DRIVE)));
    expect(step).toMatchObject({
      entries: [
        { kind: 'removed', id: 'x', reason: 'deleted' },
        { kind: 'present', id: 'y' },
      ],
    });
    const prefer = transport.requests[0]?.headers['prefer'] ?? '';
    for (const name of ['deltashowremovedasdeleted', 'deltatraversepermissiongaps', 'deltashowsharingchanges', 'hierarchicalsharing'])
      expect(prefer).toContain(name);
  });

  it('can be followed from now on, and the cursor fits an ordinary round', async () => {
    const { client, run, transport } = aClient(() => ({ json: { value: [], '@odata.deltaLink': LINK } }));
    const [step] = await run(all(client.drives.delta(DRIVE, undefined, { from: 'latest' })));
    const cursor = step?.kind === 'page' ? step.cursor : undefined;
    const [next] = await run(all(client.drives.delta(DRIVE, cursor)));
    expect(next).toMatchObject({ kind: 'page', full: false });
    expect(transport.requests.map((request) => request.query.get('token'))).toEqual(['latest', 't']);
  });
});

describe('an item', () => {
  it('is found by a path with any sign in it, or is not there', async () => {
    const { client, run, transport } = aClient((request) =>
      request.line.includes('gone') ? { status: 404, json: { error: { code: 'itemNotFound' } } } : { json: { id: 'i' } },
    );
    await run(client.drives.itemByPath(DRIVE, '/Pläne & Co/50 %: #1.txt'));
    expect(transport.requests[0]?.url.pathname).toBe('/v1.0/drives/d1/root:/Pl%C3%A4ne%20%26%20Co/50%20%25%3A%20%231.txt');
    expect(await run(client.drives.itemByPath(DRIVE, 'gone.txt'))).toBeUndefined();
  });

  it('is changed and deleted only as it was read, when that is asked', async () => {
    const { client, run, transport } = aClient(() => ({ status: 412, json: { error: { code: 'resourceModified' } } }));
    const change = client.drives.updateItem(ITEM, { name: 'n' }, { ifMatch: '"1"' });
    expect(isGraphError(await failureOf(run(change)), 'graph.precondition-failed')).toBe(true);
    expect(isGraphError(await failureOf(run(client.drives.deleteItem(ITEM, { ifMatch: '"1"' }))), 'graph.precondition-failed')).toBe(true);
    expect(transport.requests.every((request) => request.headers['if-match'] === '"1"')).toBe(true);
  });

  it('that is locked is left for the end of the run', async () => {
    const { client, run, transport } = aClient(() => ({
      status: 423,
      json: { error: { code: 'notAllowed', innererror: { code: 'resourceLocked' } } },
    }));
    expect(isGraphError(await failureOf(run(client.drives.item(ITEM))), 'graph.locked')).toBe(true);
    expect(transport.requests).toHaveLength(1);
  });

  it('is shared without a mail, keeping what it inherits', async () => {
    const { client, run, transport } = aClient(() => ({ json: { value: [{ id: 'p' }] } }));
    await run(client.drives.invite(ITEM, { recipients: [{ objectId: 'o' }], roles: ['write'], requireSignIn: false }));
    expect(bodyOf(transport.requests[0])).toEqual({
      recipients: [{ objectId: 'o' }],
      roles: ['write'],
      requireSignIn: false,
      sendInvitation: false,
      retainInheritedPermissions: true,
    });
  });

  it('whose sharing is switched off is told apart from a missing role', async () => {
    const { client, run } = aClient(() => ({
      status: 403,
      json: { error: { code: 'accessDenied', innererror: { code: 'sharingDisabled' } } },
    }));
    expect(
      isGraphError(await failureOf(run(client.drives.createLink(ITEM, { type: 'view', scope: 'anonymous' }))), 'graph.sharing-refused'),
    ).toBe(true);
  });
});

describe('a folder', () => {
  it('states what happens on a name that is taken', async () => {
    const { client, run, transport } = aClient(() => ({ json: { id: 'f' } }));
    await run(client.drives.createFolder(ITEM, { name: 'F', conflict: 'fail' }));
    expect(bodyOf(transport.requests[0])).toEqual({ name: 'F', folder: {}, '@microsoft.graph.conflictBehavior': 'fail' });
  });

  it('that would be made twice under another name is not tried again', async () => {
    const { client, run, transport } = aClient(() => ({ status: 504, body: '' }));
    expect(
      isGraphError(await failureOf(run(client.drives.createFolder(ITEM, { name: 'F', conflict: 'rename' }))), 'graph.write-uncertain'),
    ).toBe(true);
    expect(transport.requests).toHaveLength(1);
  });
});

describe('the end of a large upload', () => {
  const size = 5 * 1024 * 1024;
  const source = { sizeBytes: size, open: (offset: number) => once(Buffer.alloc(size - offset)) };

  function aHost(options: { readonly isCommitted: boolean }) {
    let commits = 0;
    return aClient((request) => {
      if (request.line.endsWith('createUploadSession'))
        return { json: { uploadUrl: 'https://contoso.sharepoint.com/up', expirationDateTime: 'x', nextExpectedRanges: ['0-'] } };
      if (request.method === 'PUT') return { status: 202, json: { nextExpectedRanges: [] } };
      if (request.method === 'POST') {
        commits += 1;
        return commits === 1 ? connectionLost() : { status: 404, json: { error: { code: 'itemNotFound' } } };
      }
      return options.isCommitted ? { json: { id: 'new', size } } : { status: 404, json: { error: { code: 'itemNotFound' } } };
    });
  }
  const upload = { target: { parentId: 'p', name: 'n.bin' }, conflict: 'fail' } as const;

  it('that was lost is found by what is there', async () => {
    const { client, run } = aHost({ isCommitted: true });
    expect((await run(client.drives.upload(DRIVE, upload, source))).id).toBe('new');
  });

  it('that left nothing is an error', async () => {
    const { client, run } = aHost({ isCommitted: false });
    expect(isGraphError(await failureOf(run(client.drives.upload(DRIVE, upload, source))), 'graph.address-expired')).toBe(true);
  });
});
