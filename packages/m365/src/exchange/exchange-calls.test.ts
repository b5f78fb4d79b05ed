import { describe, expect, it } from 'vitest';
import { aClient } from '../../testing/a-client.ts';
import type { ScriptedAnswer, ScriptedRequest } from '../../testing/scripted-transport.ts';
import { isGraphError } from '../errors/errors.ts';

const USER = { userId: 'u1' };
const MAILBOX = { userId: 'u1', mailboxId: 'MBX:1' };

async function all<T>(values: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const value of values) list.push(value);
  return list;
}

const bodyOf = (request: ScriptedRequest | undefined): Record<string, unknown> =>
  JSON.parse(String(request?.body)) as Record<string, unknown>;

describe('mail', () => {
  it('lists hidden folders too, page after page', async () => {
    const link = 'https://graph.microsoft.com/v1.0/users/u1/mailFolders?$skip=1';
    const { client, run, transport } = aClient((request) =>
      request.query.has('$skip') ? { json: { value: [{ id: 'b' }] } } : { json: { value: [{ id: 'a' }], '@odata.nextLink': link } },
    );
    expect((await run(all(client.exchange.mail.folders(USER)))).map((folder) => folder.id)).toEqual(['a', 'b']);
    expect(transport.requests[0]?.query.get('includeHiddenFolders')).toBe('true');
  });

  it('asks for everything that a faithful restore needs', async () => {
    const { client, run, transport } = aClient(() => ({ json: { id: 'm' } }));
    await run(client.exchange.mail.message({ userId: 'u1', messageId: 'm' }));
    const query = transport.requests[0]?.query;
    for (const field of ['internetMessageHeaders', 'isDraft', 'receivedDateTime', 'inferenceClassification', 'flag', 'categories']) {
      expect(query?.get('$select')?.split(',')).toContain(field);
    }
    expect(query?.get('$expand')).toContain("id eq 'SystemTime 0x0E06'");
  });

  it('selects read state, flag and categories in a delta, or their changes would be missed', async () => {
    const { client, run, transport } = aClient(() => ({ json: { value: [], '@odata.deltaLink': 'https://graph.microsoft.com/v1.0/x' } }));
    await run(all(client.exchange.mail.messageDelta({ userId: 'u1', folderId: 'f' })));
    expect(transport.requests[0]?.query.get('$select')).toMatch(/isRead,flag,categories/);
  });

  it('sends MIME as base64 text', async () => {
    const { client, run, transport } = aClient(() => ({ json: { id: 'm' } }));
    await run(client.exchange.mail.createDraftFromMime({ userId: 'u1', folderId: 'drafts' }, Buffer.from('Subject: x')));
    expect(transport.requests[0]?.headers['content-type']).toBe('text/plain');
    expect(Buffer.from(String(transport.requests[0]?.body), 'base64').toString()).toBe('Subject: x');
  });

  it('keeps the beta import switched off unless it was asked for', async () => {
    const { client, run, transport } = aClient(() => ({ json: { id: 'm' } }));
    const failure = await run(client.exchange.mail.importMime({ userId: 'u1', folderId: 'f' }, Buffer.from('x'))).catch(
      (reason: unknown) => reason,
    );
    expect(isGraphError(failure, 'graph.not-implemented')).toBe(true);
    expect(transport.requests).toHaveLength(0);
  });
});

describe('the full-fidelity stream', () => {
  it('is exported twenty items at a time, and failures of single items come with the others', async () => {
    const { client, run, transport } = aClient((request) => {
      const ids = bodyOf(request)['itemIds'] as string[];
      return {
        json: {
          value: ids.map((itemId) =>
            itemId === 'i3'
              ? { itemId, error: { code: 'ErrorItemNotFound', message: 'gone' } }
              : { itemId, changeKey: 'k', data: Buffer.from(itemId).toString('base64') },
          ),
        },
      };
    });
    const items = await run(
      all(
        client.exchange.export.exportItems(
          MAILBOX,
          Array.from({ length: 45 }, (_, index) => `i${index}`),
        ),
      ),
    );
    expect(transport.requests.map((request) => (bodyOf(request)['itemIds'] as string[]).length)).toEqual([20, 20, 5]);
    expect(items[3]).toEqual({ itemId: 'i3', error: { code: 'ErrorItemNotFound', message: 'gone' } });
    expect(Buffer.from(items[44]?.data ?? []).toString()).toBe('i44');
  });

  it('is imported through one session, which is renewed when it ends or is refused', async () => {
    let sessions = 0;
    let isRefused = false;
    const test = aClient((request): ScriptedAnswer => {
      if (request.line.endsWith('/createImportSession')) {
        sessions += 1;
        const expirationDateTime = new Date(test.clock.nowMs() + 600_000).toISOString();
        return { json: { importUrl: `https://outlook.office365.com/import?s=${sessions}`, expirationDateTime } };
      }
      if (isRefused) {
        isRefused = false;
        return { status: 401, body: '' };
      }
      return { json: { itemId: 'new', changeKey: 'k' } };
    });
    const importer = test.client.exchange.export.importer(MAILBOX);
    await test.run(importer.create('f', Buffer.from('a')));
    await test.run(importer.create('f', Buffer.from('b')));
    expect(sessions).toBe(1);
    isRefused = true;
    await test.run(importer.create('f', Buffer.from('c')));
    expect(sessions).toBe(2);
    await test.clock.advance(600_000);
    await test.run(importer.update({ folderId: 'f', itemId: 'i', changeKey: 'k' }, Buffer.from('d')));
    expect(sessions).toBe(3);
    expect(
      test.transport.requests
        .filter((request) => request.url.host !== 'graph.microsoft.com')
        .every((request) => !request.headers['authorization']),
    ).toBe(true);
  });

  it('is not there for a user without a mailbox', async () => {
    const { client, run } = aClient(() => ({ status: 404, json: { error: { code: 'MailboxNotEnabledForRESTAPI' } } }));
    expect(await run(client.exchange.export.mailboxId(USER))).toBeUndefined();
  });
});

describe('calendars and contacts', () => {
  it('read a series together with what differs in it', async () => {
    const { client, run, transport } = aClient((request) =>
      request.query.has('$expand')
        ? { json: { id: 'e', exceptionOccurrences: [{ id: 'x' }], cancelledOccurrences: ['OID.e.2026-01-05'] } }
        : { json: { id: 'e', type: 'seriesMaster', subject: 's' } },
    );
    const event = await run(client.exchange.calendar.event({ userId: 'u1', eventId: 'e' }));
    expect(event).toMatchObject({ subject: 's', exceptionOccurrences: [{ id: 'x' }], cancelledOccurrences: ['OID.e.2026-01-05'] });
    expect(transport.requests[0]?.headers['prefer']).toContain('outlook.timezone="UTC"');
  });

  it('ask for single events once', async () => {
    const { client, run, transport } = aClient(() => ({ json: { id: 'e', type: 'singleInstance' } }));
    await run(client.exchange.calendar.event({ userId: 'u1', eventId: 'e' }));
    expect(transport.requests).toHaveLength(1);
  });

  it('never ask for responses to what they create', async () => {
    const { client, run, transport } = aClient(() => ({ json: { id: 'e' } }));
    await run(client.exchange.calendar.createEvent({ userId: 'u1', calendarId: 'c' }, { subject: 's', attendees: [] }));
    expect(bodyOf(transport.requests[0])['responseRequested']).toBe(false);
  });

  it('find the default folder of contacts through a contact, if there is one', async () => {
    const { client, run } = aClient(() => ({ json: { value: [{ id: 'c', parentFolderId: 'default' }] } }));
    expect(await run(client.exchange.contacts.defaultContactFolderId(USER))).toBe('default');
    const empty = aClient(() => ({ json: { value: [] } }));
    expect(await empty.run(empty.client.exchange.contacts.defaultContactFolderId(USER))).toBeUndefined();
  });
});
