import { describe, expect, it } from 'vitest';
import { outcomeOfCode, type GraphErrorCode, type GraphOutcome } from '../../errors/errors.ts';
import type { RouteName } from '../routes/routes.ts';
import { interpretFailure, type Failure } from './interpret.ts';

function body(...codes: readonly string[]): string {
  const nest = (index: number): object => ({
    code: codes[index],
    message: index === 0 ? 'It did not work.' : undefined,
    ...(index + 1 < codes.length ? { [index % 2 === 0 ? 'innerError' : 'innererror']: nest(index + 1) } : {}),
  });
  return JSON.stringify({ error: nest(0) });
}

function aFailure(values: Partial<Failure>): Failure {
  return { route: 'GET /users/{id}/messages/{id}', status: 400, headers: {}, body: '', isPage: false, ...values };
}

const MESSAGES: RouteName = 'GET /users/{id}/mailFolders/{id}/messages/delta';
const DRIVE: RouteName = 'GET /drives/{id}/root/delta';
const CHANNEL: RouteName = 'GET /teams/{id}/channels/{id}/messages/delta';

type Row = readonly [status: number, codes: readonly string[], route: RouteName, code: GraphErrorCode, outcome: GraphOutcome];

const rows: readonly Row[] = [
  [401, ['InvalidAuthenticationToken'], MESSAGES, 'graph.token-refused', 'tenant'],
  [403, ['Authorization_RequestDenied'], 'GET /users', 'graph.access-denied', 'resource'],
  [403, ['ErrorAccessDenied'], MESSAGES, 'graph.access-denied', 'resource'],
  [403, ['accessDenied'], DRIVE, 'graph.access-denied', 'resource'],
  [403, ['Forbidden'], CHANNEL, 'graph.access-denied', 'resource'],
  [403, ['UnknownError'], CHANNEL, 'graph.access-denied', 'resource'],
  [403, ['ExtensionError'], MESSAGES, 'graph.mailbox-closed', 'exclude'],
  [404, ['Request_ResourceNotFound'], 'GET /users/{id}', 'graph.resource-gone', 'resource'],
  [404, ['ResourceNotFound'], 'GET /users/{id}/mailFolders', 'graph.resource-gone', 'resource'],
  [404, ['ErrorInvalidUser'], 'GET /users/{id}/mailFolders', 'graph.resource-gone', 'resource'],
  [404, ['MailboxNotEnabledForRESTAPI'], MESSAGES, 'graph.mailbox-missing', 'exclude'],
  [404, ['ErrorNonExistentMailbox'], MESSAGES, 'graph.mailbox-missing', 'exclude'],
  [404, ['ErrorItemNotFound'], 'GET /users/{id}/messages/{id}', 'graph.item-gone', 'gone'],
  [404, ['itemNotFound'], 'GET /drives/{id}/items/{id}', 'graph.item-gone', 'gone'],
  [404, ['itemNotFound'], 'GET /drives/{id}', 'graph.resource-gone', 'resource'],
  [404, ['ErrorSyncFolderNotFound'], MESSAGES, 'graph.folder-gone', 'gone'],
  [410, ['SyncStateNotFound'], MESSAGES, 'graph.delta-expired', 'reEnumerate'],
  [400, ['SyncStateInvalid'], MESSAGES, 'graph.delta-expired', 'reEnumerate'],
  [410, ['resyncRequired', 'resyncChangesApplyDifferences'], DRIVE, 'graph.delta-expired', 'reEnumerate'],
  [410, ['resyncRequired', 'resyncUploadDifferences'], DRIVE, 'graph.delta-expired', 'reEnumerate'],
  [400, ['BadRequest'], CHANNEL, 'graph.delta-refused', 'reEnumerate'],
  [400, ['invalidRequest'], 'GET /drives/{id}/items/{id}', 'graph.bad-request', 'record'],
  [409, ['ErrorFolderExists'], 'POST /users/{id}/mailFolders', 'graph.name-taken', 'record'],
  [409, ['nameAlreadyExists'], 'POST /drives/{id}/items/{id}/children', 'graph.name-taken', 'record'],
  [409, ['Conflict'], 'POST /teams/{id}/channels/{id}/messages', 'graph.name-taken', 'record'],
  [412, ['resourceModified'], 'PATCH /drives/{id}/items/{id}', 'graph.precondition-failed', 'record'],
  [413, [], 'PUT /drives/{id}/items/{id}/content', 'graph.too-large', 'record'],
  [416, ['invalidRange', 'fragmentOverlap'], 'PUT spo:{uploadUrl}', 'graph.range-refused', 'record'],
  [423, ['notAllowed', 'resourceLocked'], 'GET /drives/{id}/root/delta', 'graph.site-archived', 'exclude'],
  [423, ['notAllowed'], 'GET /sites/{id}', 'graph.site-archived', 'exclude'],
  [423, ['resourceLocked'], 'GET /groups/{id}/transitiveMembers', 'graph.locked', 'retry'],
  [423, ['resourceLocked'], 'GET /drives/{id}/items/{id}/content', 'graph.locked', 'retry'],
  [423, ['notAllowed', 'lockMismatch'], 'PATCH /drives/{id}/items/{id}', 'graph.locked', 'retry'],
  [429, ['ApplicationThrottled'], MESSAGES, 'graph.throttled', 'retry'],
  [429, ['activityLimitReached', 'throttledRequest'], DRIVE, 'graph.throttled', 'retry'],
  [509, ['activityLimitReached'], DRIVE, 'graph.throttled', 'retry'],
  [500, ['ErrorCorruptData'], 'GET /users/{id}/messages/{id}/$value', 'graph.corrupt-item', 'record'],
  [400, ['ErrorCannotOpenFileAttachment'], 'GET /users/{id}/messages/{id}/attachments/{id}/$value', 'graph.corrupt-item', 'record'],
  [400, ['ErrorInvalidRecipients'], 'GET /users/{id}/messages/{id}', 'graph.corrupt-item', 'record'],
  [500, ['ErrorInternalServerTransientError'], MESSAGES, 'graph.service-fault', 'retry'],
  [500, ['generalException'], DRIVE, 'graph.service-fault', 'retry'],
  [502, [], DRIVE, 'graph.service-fault', 'retry'],
  [504, ['UnknownError'], DRIVE, 'graph.service-fault', 'retry'],
  [503, ['serviceNotAvailable'], DRIVE, 'graph.throttled', 'retry'],
  [507, ['quotaLimitReached'], 'PUT /drives/{id}/items/{id}/content', 'graph.quota-full', 'resource'],
  [403, ['ErrorQuotaExceeded'], 'POST /users/{id}/mailFolders/{id}/messages', 'graph.quota-full', 'resource'],
  [507, ['ErrorQuotaExceeded'], MESSAGES, 'graph.delta-refused', 'reEnumerate'],
  [406, ['malwareDetected'], 'GET /drives/{id}/items/{id}/content', 'graph.malware', 'exclude'],
  [403, ['accessDenied', 'sharingDisabled'], 'POST /drives/{id}/items/{id}/invite', 'graph.sharing-refused', 'record'],
  [400, ['invalidRequest', 'noResolvedUsers'], 'POST /drives/{id}/items/{id}/invite', 'graph.sharing-refused', 'record'],
  [501, ['NotImplemented'], 'GET /users/{id}', 'graph.not-implemented', 'tenant'],
];

describe('interpretFailure', () => {
  it.each(rows)('reads %i %j at %s as %s (%s)', (...row) => {
    const [status, codes, route, code, outcome] = row;
    const read = interpretFailure(aFailure({ status, route, body: codes.length > 0 ? body(...codes) : '' }));
    expect(read.code).toBe(code);
    expect(outcomeOfCode(read.code)).toBe(outcome);
  });
  it('prefers the innermost code it knows, whatever the case of letters', () => {
    const read = interpretFailure(aFailure({ status: 400, route: DRIVE, body: body('invalidRequest', 'RESYNCREQUIRED', 'somethingNew') }));
    expect(read).toMatchObject({ code: 'graph.delta-expired', serviceCode: 'RESYNCREQUIRED' });
  });
  it.each(["User's mysite not found.", "Unable to retrieve user's mysite URL.", 'Tenant does not have a SPO license.'])(
    'knows %s',
    (message) => {
      const failure = aFailure({
        status: 404,
        route: 'GET /users/{id}/drive',
        body: JSON.stringify({ error: { code: 'ResourceNotFound', message } }),
      });
      expect(interpretFailure(failure).code).toBe('graph.drive-missing');
    },
  );
  it('tells a blocked site from a file that is open', () => {
    const message = 'Access to this site has been blocked. Please contact the administrator to resolve this problem.';
    const failure = aFailure({
      status: 423,
      route: 'GET /drives/{id}/items/{id}/content',
      body: JSON.stringify({ error: { code: 'notAllowed', message, innerError: { code: 'resourceLocked' } } }),
    });
    expect(interpretFailure(failure).code).toBe('graph.site-archived');
  });
  it('lists a folder that refuses change tracking', () => {
    const message = "Parameter 'DeltaToken' not supported for this request.";
    const failure = aFailure({ status: 400, route: MESSAGES, body: JSON.stringify({ error: { code: 'ErrorInvalidUrlQuery', message } }) });
    expect(interpretFailure(failure).code).toBe('graph.delta-refused');
  });
  it('knows an infected file by the header alone', () => {
    expect(interpretFailure(aFailure({ status: 403, route: DRIVE, headers: { 'x-virus-infected': 'true' } })).code).toBe('graph.malware');
  });
  it('asks an empty 404 three times again, and a full one never', () => {
    expect(interpretFailure(aFailure({ status: 404 })).tries).toBe(4);
    expect(interpretFailure(aFailure({ status: 404, body: body('ErrorItemNotFound') })).tries).toBe(1);
  });
  it('tells an empty 503 of a page from one with Retry-After', () => {
    expect(interpretFailure(aFailure({ status: 503, isPage: true })).code).toBe('graph.page-too-large');
    expect(interpretFailure(aFailure({ status: 503, isPage: true, headers: { 'retry-after': '5' } })).code).toBe('graph.throttled');
  });
  it('hands on where a delta begins anew', () => {
    const headers = { location: 'https://graph.microsoft.com/v1.0/drives/d/root/delta?token=' };
    expect(interpretFailure(aFailure({ status: 410, route: DRIVE, headers, body: body('resyncRequired') })).location).toBe(
      headers.location,
    );
  });
  it('reads what is no JSON by its status', () => {
    expect(interpretFailure(aFailure({ status: 502, body: '<html>Bad gateway</html>' })).code).toBe('graph.service-fault');
  });
});
