import { beforeAll, describe, expect, it } from 'vitest';
import { calendarExamples } from '../testing/examples/calendar-examples.ts';
import { directoryExamples } from '../testing/examples/directory-examples.ts';
import type { Example } from '../testing/examples/example.ts';
import { mailExamples } from '../testing/examples/mail-examples.ts';
import { siteExamples } from '../testing/examples/site-examples.ts';
import { teamExamples } from '../testing/examples/team-examples.ts';
import { isJsonObject, type JsonObject, textOf } from './values/json.ts';
import { type Answer, createInProcess, type InProcess } from './testing/in-process.ts';
import { workloads } from './workloads.ts';

const AREAS: readonly (readonly [area: string, examples: readonly Example[]])[] = [
  ['the directory', directoryExamples],
  ['mail', mailExamples],
  ['calendars, contacts and tasks', calendarExamples],
  ['files and sites', siteExamples],
  ['teams and chats', teamExamples],
];

let simulator: InProcess;
/** What stands for the names in braces. */
const kept = new Map<string, string>();

async function firstId(address: string, fits: (entry: JsonObject) => boolean = () => true): Promise<string> {
  const { entries } = await simulator.all(address);
  return textOf(entries.find(fits)?.['id']);
}

beforeAll(async () => {
  simulator = createInProcess({ workloads });
  const { entries } = await simulator.all("/users?$select=id,userPrincipalName,mail&$filter=userType eq 'Member'");
  const person = entries.find((entry) => entry['mail']) ?? {};
  kept.set('user', textOf(person['id'])).set('upn', textOf(person['userPrincipalName']));
  const team = await firstId("/groups?$filter=resourceProvisioningOptions/Any(x:x eq 'Team')");
  kept.set('team', team).set('group', team);
  kept.set('channel', await firstId(`/teams/${team}/channels`, (entry) => entry['membershipType'] === 'standard'));
  kept.set('site', await firstId('/sites/getAllSites', (entry) => textOf(entry['webUrl']).includes('/sites/')));
  kept.set('host', `${simulator.tenant.directory.label}.sharepoint.com`);
});

const filled = (text: string): string => text.replaceAll(/\{(\w+)\}/gu, (whole, name: string) => kept.get(name) ?? whole);

function request({ asks, body, text, headers }: Example): Promise<Answer> {
  const [method = '', ...rest] = filled(asks).split(' ');
  const [path = '', query] = rest.join(' ').split('?');
  const address = query === undefined ? path : `${path}?${encodeURI(query)}`;
  const given = body === undefined ? text : filled(JSON.stringify(body));
  return simulator.ask(method, address, { ...(headers ? { headers } : {}), ...(given === undefined ? {} : { body: given }) });
}

/** The answer itself, or the first entry of a list. */
function entityOf({ json }: Answer): JsonObject {
  const { value } = json;
  const [first] = Array.isArray(value) ? value : [json];
  return isJsonObject(first) ? first : {};
}

/** The code of a refusal, where the list says which. */
function codeOf({ json }: Answer): string | undefined {
  const { error } = json;
  return isJsonObject(error) ? textOf(error['code']) : undefined;
}

describe.each(AREAS)('documented requests: %s', (_area, examples) => {
  // In the order of the list: some use what those before them have made.
  it.each(examples.map((example) => [`${example.asks} answers ${example.status}`, example] as const))('%s', async (_name, example) => {
    const answer = await request(example);
    expect({ status: answer.status, json: answer.json }).toMatchObject({ status: example.status });
    const entity = entityOf(answer);
    expect(Object.keys(entity)).toEqual(expect.arrayContaining([...(example.has ?? [])]));
    expect(entity).toMatchObject(example.is ?? {});
    expect(codeOf(answer)).toBe(example.code);
    if (example.keeps !== undefined) kept.set(example.keeps, textOf(entity['id']));
  });
});

it('are more than a hundred and twenty, and their answers are what the metadata allows', () => {
  expect(AREAS.flatMap(([, examples]) => examples).length).toBeGreaterThan(120);
  simulator.requireValid();
});
