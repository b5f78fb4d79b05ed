import { listPage } from '../delta/list-page.ts';
import { positionsOf } from '../state/feed.ts';
import { guidOf } from '../values/seeded.ts';
import type { Person } from '../state/directory.ts';
import { badRequest, fail } from '../http/failure.ts';
import { isJsonObject, type JsonObject, textOf } from '../values/json.ts';
import { project } from '../http/query.ts';
import { created, ok, type Reply } from '../http/reply.ts';
import type { Context, RouteEntry } from '../http/route.ts';
import type { Tenant } from '../state/tenant.ts';
import { requireMailboxOwner } from './open.ts';

interface SettingsState {
  settings: JsonObject;
  readonly rules: JsonObject[];
  readonly categories: JsonObject[];
  next: number;
}

const PURPOSES = { member: 'user', guest: 'user', shared: 'shared', room: 'room' } as const;

function initialSettings(person: Person): JsonObject {
  const isGerman = person.language === 'de';
  const zone = person.timeZone;
  return {
    archiveFolder: null,
    timeZone: zone,
    delegateMeetingMessageDeliveryOptions: 'sendToDelegateOnly',
    dateFormat: isGerman ? 'dd.MM.yyyy' : 'dd/MM/yyyy',
    timeFormat: 'HH:mm',
    userPurpose: PURPOSES[person.kind],
    automaticRepliesSetting: {
      status: 'disabled',
      externalAudience: 'all',
      internalReplyMessage: '',
      externalReplyMessage: '',
      scheduledStartDateTime: { dateTime: '2026-12-23T17:00:00.0000000', timeZone: 'UTC' },
      scheduledEndDateTime: { dateTime: '2027-01-04T08:00:00.0000000', timeZone: 'UTC' },
    },
    language: { locale: isGerman ? 'de-DE' : 'en-GB', displayName: isGerman ? 'Deutsch (Deutschland)' : 'English (United Kingdom)' },
    workingHours: {
      daysOfWeek: ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'],
      startTime: '08:00:00.0000000',
      endTime: '17:00:00.0000000',
      timeZone: { name: zone },
    },
  };
}

function rule(tenant: Tenant, person: Person, index: number, rest: JsonObject): JsonObject {
  return {
    id: `AQAA${guidOf(tenant.seed, 'rule', person.id, index).replaceAll('-', '').slice(0, 16)}`,
    sequence: index + 1,
    isEnabled: true,
    hasError: false,
    isReadOnly: false,
    ...rest,
  };
}

const COLOURS = [
  ['Red category', 'preset0'],
  ['Blue category', 'preset7'],
  ['Green category', 'preset4'],
  ['Yellow category', 'preset3'],
] as const;

function initial(tenant: Tenant, person: Person): SettingsState {
  const isGerman = person.language === 'de';
  const rules = [
    rule(tenant, person, 0, {
      displayName: isGerman ? 'Rundschreiben' : 'Newsletters',
      conditions: { subjectContains: ['Newsletter'] },
      actions: { markAsRead: true, stopProcessingRules: true },
    }),
    rule(tenant, person, 1, {
      displayName: isGerman ? 'Wichtiges vom Vertrieb' : 'From sales',
      conditions: { senderContains: ['sales'] },
      actions: { markImportance: 'high', assignCategories: ['Red category'] },
      isReadOnly: tenant.recipe.hasOddities,
    }),
  ];
  const categories = COLOURS.map(([displayName, color], index) => ({
    id: guidOf(tenant.seed, 'category', person.id, index),
    displayName,
    color,
  }));
  return { settings: initialSettings(person), rules, categories, next: 10 };
}

/** Settings, rules and categories of a mailbox. */
export function settingsState(tenant: Tenant, person: Person): SettingsState {
  return tenant.store.state(`settings/${person.id}`, () => initial(tenant, person));
}

function getSettings(context: Context): Reply {
  const person = requireMailboxOwner(context);
  const annotation = { '@odata.context': context.links.context(`users('${person.id}')/mailboxSettings`) };
  return ok({ ...annotation, ...project(settingsState(context.tenant, person).settings, context.query.select, []) });
}

async function changeSettings(context: Context): Promise<Reply> {
  const person = requireMailboxOwner(context);
  const body = await context.json();
  const state = settingsState(context.tenant, person);
  const known = Object.keys(state.settings);
  const changes = Object.fromEntries(Object.entries(body).filter(([name]) => known.includes(name) && name !== 'userPurpose'));
  const replies = body['automaticRepliesSetting'];
  if (replies !== undefined && !isJsonObject(replies)) throw badRequest('outlook', 'automaticRepliesSetting must be an object.');
  const merged =
    replies === undefined ? {} : { automaticRepliesSetting: { ...(state.settings['automaticRepliesSetting'] as JsonObject), ...replies } };
  state.settings = { ...state.settings, ...changes, ...merged };
  return ok({ '@odata.context': context.links.context(`users('${person.id}')/mailboxSettings`), ...state.settings });
}

function list(context: Context, items: readonly JsonObject[], path: string): Reply {
  const person = requireMailboxOwner(context);
  return listPage(context, {
    items: positionsOf(items),
    context: `users('${person.id}')/${path}`,
    defaultSize: 100,
    maxSize: 999,
    render: (entity) => project(entity, context.query.select),
  });
}

async function createRule(context: Context): Promise<Reply> {
  const person = requireMailboxOwner(context);
  const body = await context.json();
  if (typeof body['displayName'] !== 'string' || !isJsonObject(body['actions']))
    throw fail(400, 'ErrorInvalidArgument', 'A rule needs a display name and actions.');
  const state = settingsState(context.tenant, person);
  const made = rule(context.tenant, person, state.next, {
    displayName: body['displayName'],
    sequence: typeof body['sequence'] === 'number' ? body['sequence'] : state.rules.length + 1,
    isEnabled: body['isEnabled'] !== false,
    ...(isJsonObject(body['conditions']) ? { conditions: body['conditions'] } : {}),
    ...(isJsonObject(body['exceptions']) ? { exceptions: body['exceptions'] } : {}),
    actions: body['actions'],
  });
  state.next += 1;
  state.rules.push(made);
  return created({ '@odata.context': context.links.context(`users('${person.id}')/mailFolders('inbox')/messageRules/$entity`), ...made });
}

async function createCategory(context: Context): Promise<Reply> {
  const person = requireMailboxOwner(context);
  const { displayName, color } = await context.json();
  if (typeof displayName !== 'string' || displayName === '') throw badRequest('outlook', 'A category needs a display name.');
  const state = settingsState(context.tenant, person);
  if (state.categories.some((category) => textOf(category['displayName']).toLowerCase() === displayName.toLowerCase())) {
    throw fail(409, 'ErrorCategoryExists', 'A category with this name exists.');
  }
  const made = {
    id: guidOf(context.tenant.seed, 'category', person.id, state.next),
    displayName,
    color: typeof color === 'string' ? color : 'none',
  };
  state.next += 1;
  state.categories.push(made);
  return created({ '@odata.context': context.links.context(`users('${person.id}')/outlook/masterCategories/$entity`), ...made });
}

const service = 'outlook';
const RULES = '/users/{id}/mailFolders/inbox/messageRules';
const CATEGORIES = '/users/{id}/outlook/masterCategories';

/** Settings of a mailbox, rules of its inbox, its categories. */
export const settingsRoutes: readonly RouteEntry[] = [
  { method: 'GET', path: '/users/{id}/mailboxSettings', service, query: ['$select'], handler: getSettings },
  { method: 'PATCH', path: '/users/{id}/mailboxSettings', service, handler: changeSettings },
  {
    method: 'GET',
    path: RULES,
    service,
    query: ['$select', '$top'],
    handler: (context) =>
      list(context, settingsState(context.tenant, requireMailboxOwner(context)).rules, "mailFolders('inbox')/messageRules"),
  },
  { method: 'POST', path: RULES, service, handler: createRule },
  {
    method: 'GET',
    path: CATEGORIES,
    service,
    query: ['$select', '$top'],
    handler: (context) => list(context, settingsState(context.tenant, requireMailboxOwner(context)).categories, 'outlook/masterCategories'),
  },
  { method: 'POST', path: CATEGORIES, service, handler: createCategory },
];
