import { describe, expect, it } from 'vitest';
import type { ResponseFacts } from './validator.ts';
import { createValidator } from './validator.ts';

function aResponse(path: string, json: unknown, rest: Partial<ResponseFacts> = {}): ResponseFacts {
  return { method: 'GET', path, expand: undefined, status: 200, json, ...rest };
}

function messages(path: string, json: unknown, rest: Partial<ResponseFacts> = {}): string[] {
  return createValidator()
    .checkResponse(aResponse(path, json, rest))
    .map(({ pointer, message }) => `${pointer} ${message}`);
}

const message = {
  '@odata.type': '#microsoft.graph.message',
  '@odata.etag': 'W/"CQ"',
  id: 'AAMk',
  isRead: true,
  receivedDateTime: '2020-01-02T03:04:05Z',
  importance: 'normal',
  from: { emailAddress: { name: 'A', address: 'a@contoso.example' } },
};

describe('validator of responses', () => {
  it('accepts a page of a message delta with a removed entry', () => {
    const page = {
      '@odata.context': 'x',
      '@odata.nextLink': 'https://graph.microsoft.com/x',
      value: [message, { '@odata.type': '#microsoft.graph.message', id: 'B', '@removed': { reason: 'deleted' } }],
    };
    expect(messages('/users/1/mailFolders/inbox/messages/delta', page)).toEqual([]);
  });

  it('refuses a property that the type does not declare', () => {
    expect(messages('/users/1/messages/2', { ...message, colour: 'red' })).toEqual([
      '/colour colour is no property of microsoft.graph.message',
    ]);
  });

  it('refuses a removed entry that says more than its id', () => {
    const page = { value: [{ id: 'B', subject: 'x', '@removed': { reason: 'deleted' } }] };
    expect(messages('/users/1/mailFolders/inbox/messages/delta', page)).toHaveLength(1);
  });

  it.each([
    ['receivedDateTime', '2020-01-02T03:04:05+01:00', 'is not a time in UTC with Z'],
    ['isRead', 'yes', 'is not a boolean'],
    ['importance', 'urgent', '"urgent" is no member of microsoft.graph.importance'],
    ['categories', null, 'is a null collection'],
    ['toRecipients', {}, 'is not a collection'],
  ])('refuses %s when it is %j', (name, value, problem) => {
    expect(messages('/users/1/messages/2', { ...message, [name]: value })).toEqual([`/${name} ${problem}`]);
  });

  it('accepts a navigation property only when it was expanded', () => {
    const withReplies = { value: [{ id: '1', replies: [{ id: '2', hostedContents: [] }] }] };
    const path = '/teams/1/channels/2/messages';
    expect(messages(path, withReplies, { expand: 'replies($expand=hostedContents)' })).toEqual([]);
    expect(messages(path, withReplies, { expand: 'replies' })).toEqual([
      '/value/0/replies/0/hostedContents navigation property hostedContents was not expanded',
    ]);
    expect(messages(path, withReplies)).toHaveLength(2);
  });

  it('follows a stated type, which must derive from the declared one', () => {
    const path = '/users/1/messages/2/attachments';
    const file = { '@odata.type': '#microsoft.graph.fileAttachment', id: '1', contentBytes: 'QUJD', size: 3 };
    expect(messages(path, { value: [file] })).toEqual([]);
    expect(messages(path, { value: [{ ...file, '@odata.type': '#microsoft.graph.user' }] })).not.toEqual([]);
    expect(messages(path, { value: [{ id: '1', contentBytes: 'QUJD' }] })).toHaveLength(1);
  });

  it('lets open types take only names that have a source', () => {
    const path = '/sites/1/lists/2/items/3';
    const item = { id: '3', fields: { Title: 'x', Anything: 1 } };
    expect(messages(path, item, { expand: 'fields' })).toEqual([]);
    expect(messages('/teams/1', { id: '1', mood: 'good' })).toHaveLength(1);
  });

  it.each([
    ['/drives/1/root:/a/b c:/children', { value: [{ id: '1', name: 'x', size: 1 }] }],
    ['/drives/1/items/2:/x.txt', { id: '1', file: { hashes: { quickXorHash: 'AAA=' } } }],
    ['/sites/contoso.sharepoint.com:/sites/hr:/lists', { value: [{ id: '1', list: { template: 'genericList' } }] }],
    ['/sites/getAllSites', { value: [{ id: 'a,b,c', isPersonalSite: false }] }],
    ["/users('a@b.c')/chats", { value: [{ id: '1', chatType: 'group' }] }],
    ['/sites/1/pages/2/microsoft.graph.sitePage', { id: '2', promotionKind: 'page' }],
    ['/users/1/chats/getAllMessages', { value: [{ id: '1', chatId: '2' }] }],
    ['/teams/1/channels/getAllMessages', { value: [{ id: '1' }] }],
    ['/teams/1/channels/2/filesFolder', { id: '01', folder: { childCount: 0 } }],
    ['/users/1/settings/exchange', { primaryMailboxId: 'MBX:1' }],
  ])('knows what %s answers', (path, body) => {
    expect(messages(path, body)).toEqual([]);
    expect(messages(path, { ...body, unheardOf: 1 })).toHaveLength(1);
  });

  it('takes the entity that a stream belongs to as the answer of a PUT', () => {
    expect(messages('/drives/1/items/2:/x.txt:/content', { id: '1', cTag: 'c' }, { method: 'PUT', status: 201 })).toEqual([]);
    expect(messages('/drives/1/items/2/content', { id: '1' })).toEqual(['/ answers JSON though it is a stream']);
  });

  it('takes one entity as the answer of a POST to a collection, and nothing as the answer of an action without result', () => {
    expect(messages('/teams/1/channels', { id: '1', displayName: 'x' }, { method: 'POST', status: 201 })).toEqual([]);
    const done = { method: 'POST', status: 204 };
    expect(messages('/teams/1/channels/2/completeMigration', undefined, done)).toEqual([]);
    expect(messages('/teams/1/channels/2/completeMigration', {}, { ...done, status: 200 })).toHaveLength(1);
    expect(messages('/drives/1/items/2/copy', undefined, { method: 'POST', status: 202 })).toEqual([]);
  });

  it('refuses a path that does not exist and a body that is missing', () => {
    expect(messages('/users/1/socks', { value: [] })).toEqual(['/ the metadata has no such path']);
    expect(messages('/users/1', undefined)).toEqual(['/ a body is missing']);
  });

  it('reads JSON that is text already', () => {
    expect(messages('/users/1', '{"id":"1","displayName":5}')).toEqual(['/displayName is not a string']);
  });

  it('wants the shape and the codes of the service in errors', () => {
    const error = { code: 'itemNotFound', message: 'x', innerError: { date: 'x', 'request-id': '1' } };
    expect(messages('/drives/1', { error }, { status: 404 })).toEqual([]);
    expect(messages('/drives/1', { error: { ...error, code: 'lost' } }, { status: 404 })).toHaveLength(1);
    expect(messages('/drives/1', { message: 'x' }, { status: 404 })).toHaveLength(1);
    expect(messages('/drives/1', undefined, { status: 404 })).toEqual([]);
  });

  it('counts what it checked and keeps the violations', () => {
    const validator = createValidator();
    validator.checkResponse(aResponse('/users/1', { id: '1' }));
    validator.checkResponse(aResponse('/users/1', { id: 1 }));
    expect(validator.checked).toBe(2);
    expect(validator.violations).toEqual([{ method: 'GET', path: '/users/1', status: 200, pointer: '/id', message: 'is not a string' }]);
  });
});

describe('validator of requests', () => {
  const request = (path: string, json: unknown, method = 'POST'): string | undefined =>
    createValidator().checkRequest({ method, path, json });

  it('accepts deep inserts, bindings and annotations it does not know', () => {
    const team = {
      'template@odata.bind': "https://graph.microsoft.com/v1.0/teamsTemplates('standard')",
      displayName: 'x',
      members: [{ '@odata.type': '#microsoft.graph.aadUserConversationMember', roles: ['owner'], 'user@odata.bind': 'x' }],
    };
    expect(request('/teams', team)).toBeUndefined();
    expect(request('/users/1/messages', { subject: 'x', 'x@y': 1, attachments: [] })).toBeUndefined();
  });

  it('names the property that is wrong', () => {
    expect(request('/users/1/messages/2', { colour: 'red' }, 'PATCH')).toContain('colour');
    expect(request('/users/1/messages/2', { isRead: 'yes' }, 'PATCH')).toContain('/isRead');
  });

  it('holds the parameters of an action against its declaration, whatever their case', () => {
    const path = '/drives/1/items/2/createUploadSession';
    expect(request(path, { item: { name: 'x' }, deferCommit: true })).toBeUndefined();
    expect(request(path, { Item: { name: 'x' } })).toBeUndefined();
    expect(request(path, { thing: 1 })).toContain('thing');
  });

  it('takes times with an offset', () => {
    expect(request('/users/1/messages', { receivedDateTime: '2020-01-01T00:00:00+02:00' })).toBeUndefined();
  });
});
