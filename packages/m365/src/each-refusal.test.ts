import { describe, expect, it } from 'vitest';
import { aClient } from '../testing/a-client.ts';
import { anything } from '../testing/anything.ts';
import { makeEachCall, type CallEnd } from '../testing/each-call.ts';
import type { Respond, ScriptedAnswer } from '../testing/scripted-transport.ts';
import { type GraphErrorCode, isGraphError } from './errors/errors.ts';

const CALLS = 178;

/** Every call of the client against one service; how each ended, by code. */
async function endsBy(respond: Respond): Promise<ReadonlyMap<string, readonly string[]>> {
  const { client, run } = aClient(respond, { betaImportMime: true });
  const ends: readonly CallEnd[] = await run(makeEachCall(client));
  expect(ends.length).toBeGreaterThanOrEqual(CALLS);
  const by = new Map<string, string[]>();
  for (const { name, error } of ends) {
    const code = error === undefined ? 'done' : isGraphError(error) ? error.code : 'unknown';
    by.set(code, [...(by.get(code) ?? []), name]);
  }
  return by;
}

function refusal(status: number, code: string, inner?: string): ScriptedAnswer {
  const innerError = inner === undefined ? {} : { innerError: { code: inner } };
  return { status, headers: { 'request-id': 'r-1' }, json: { error: { code, message: 'No.', ...innerError } } };
}

interface Row {
  readonly answer: readonly [status: number, code: string, inner?: string];
  /** What comes of most calls. */
  readonly code: GraphErrorCode;
  /** What else may come of some, by the call. */
  readonly except?: Readonly<Record<string, readonly string[]>>;
}

const CANCEL = ['drives.cancelUpload'];
/** A batch asks for no role itself: those of its parts are named with them. */
const MISSING = { 'graph.access-denied': ['exchange.mail.createFolders'], done: CANCEL };
const WHOLE_RESOURCES = [
  'directory.user',
  'directory.groupMembers',
  'directory.groupOwners',
  'drives.drive',
  'drives.root',
  'drives.delta',
  'sites.site',
  'sites.siteByPath',
  'sites.lists',
  'teams.channels',
  'teams.allChannels',
];
/** Nothing there is an answer to these, and what is gone need not be deleted. */
const CONTENT_WITH_NOTHING = [
  'directory.photo',
  'exchange.contacts.contactPhoto',
  'exchange.export.mailboxId',
  'drives.itemByPath',
  'drives.itemByPath',
  'exchange.mail.deleteMessage',
  'exchange.mail.deleteFolder',
  'exchange.mail.permanentlyDeleteFolder',
  'exchange.mail.permanentlyDeleteMessage',
  'exchange.calendar.deleteEvent',
  'exchange.calendar.permanentlyDeleteCalendar',
  'exchange.contacts.deleteContact',
  'exchange.contacts.permanentlyDeleteContactFolder',
  'exchange.todo.deleteList',
  'exchange.todo.deleteTask',
  'drives.deleteItem',
  'drives.permanentlyDeleteItem',
  'sites.deleteItem',
  'sites.deleteList',
  'sites.deletePage',
  'teams.team',
  'teams.deleteChannel',
  ...CANCEL,
];

const rows: readonly Row[] = [
  { answer: [403, 'Authorization_RequestDenied'], code: 'graph.permission-missing', except: MISSING },
  { answer: [403, 'ErrorAccessDenied'], code: 'graph.permission-missing', except: MISSING },
  { answer: [403, 'accessDenied'], code: 'graph.permission-missing', except: MISSING },
  { answer: [403, 'Forbidden'], code: 'graph.permission-missing', except: MISSING },
  {
    answer: [404, 'ErrorItemNotFound'],
    code: 'graph.item-gone',
    except: {
      'graph.resource-gone': WHOLE_RESOURCES,
      'graph.drive-missing': ['drives.userDrive'],
      // A new team says 404 for a while: asked for until it has been too long.
      'graph.service-fault': ['teams.waitFor'],
      done: CONTENT_WITH_NOTHING,
    },
  },
  {
    answer: [409, 'nameAlreadyExists'],
    code: 'graph.name-taken',
    except: { done: ['chats.startMigration', 'chats.completeMigration'] },
  },
  {
    answer: [412, 'resourceModified'],
    code: 'graph.precondition-failed',
    except: { 'graph.changed-while-reading': ['drives.content', 'drives.versionContent'] },
  },
  { answer: [501, 'NotImplemented'], code: 'graph.not-implemented' },
  { answer: [403, 'accessDenied', 'malwareDetected'], code: 'graph.malware', except: { done: CANCEL } },
];

describe('every call of the client', () => {
  it.each(rows)('says what to do about $answer', async ({ answer, code, except = {} }) => {
    const by = await endsBy(() => refusal(...answer));
    const others = [...by].filter(([found]) => found !== code).map(([found, names]) => [found, names.toSorted()]);
    expect(Object.fromEntries(others)).toEqual(
      Object.fromEntries(Object.entries(except).map(([found, names]) => [found, names.toSorted()])),
    );
    expect(by.get(code)?.length).toBeGreaterThan(140);
  });

  it('repeats no write that may have been done, and says so', async () => {
    const lines = new Map<string, number>();
    const by = await endsBy((request) => {
      if (request.method === 'POST') lines.set(request.line, (lines.get(request.line) ?? 0) + 1);
      return refusal(500, 'ErrorInternalServerTransientError');
    });
    expect([...by.keys()].toSorted()).toEqual(['done', 'graph.service-fault', 'graph.write-uncertain']);
    // The batch of folders gives each folder an end of its own.
    expect(by.get('done')).toEqual(['exchange.mail.createFolders']);
    expect(by.get('graph.write-uncertain')?.length).toBeGreaterThan(20);
    // Once for the message as JSON, once for the draft as MIME.
    expect(lines.get('POST /v1.0/users/u/mailFolders/f/messages')).toBe(2);
    for (const line of ['POST /v1.0/teams', 'POST /v1.0/chats', 'POST /v1.0/sites/s/lists/l/items']) expect(lines.get(line), line).toBe(1);
  });

  it('obeys a decimal Retry-After to the millisecond and ends well', async () => {
    const waits: number[] = [];
    let throttled: { readonly line: string; readonly atMs: number } | undefined;
    const by = await endsBy((request) => {
      const before = throttled;
      throttled = undefined;
      if (before?.line === request.line) {
        waits.push(request.atMs - before.atMs);
        return anything(request);
      }
      throttled = request;
      return { status: 429, headers: { 'retry-after': '2.128' }, json: { error: { code: 'TooManyRequests' } } };
    });
    expect([...by.keys()].toSorted()).toEqual(['done', 'graph.write-uncertain']);
    expect(waits.length).toBeGreaterThan(140);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(2_128);
  });
});
