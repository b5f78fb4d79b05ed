import { expect, test } from 'vitest';
import { apiKeyBody } from './api-keys.ts';
import { destinationBody } from './forwarding.ts';
import { holdBody } from './holds.ts';
import { accountBody, bootstrapBody } from './identity.ts';
import { organisationBody } from './members.ts';
import { tenantBody } from './tenants.ts';
import { workerBody } from './workers.ts';

/** Each body with the field that lists and mails show, and every other field absent. */
const fields = [
  ['an organisation', organisationBody, 'name'],
  ['the first organisation', bootstrapBody, 'organisation'],
  ['a legal hold', holdBody, 'name'],
  ['an API key', apiKeyBody, 'name'],
  ['a destination of audit events', destinationBody.options[2], 'name'],
  ['a tenant', tenantBody, 'displayName'],
  ['a worker', workerBody, 'name'],
  ['the first name of a person', accountBody, 'firstName'],
  ['the last name of a person', accountBody, 'lastName'],
] as const;
const turning = ['\u202E', '\u2066', '\u200F', '\u061C', '\n', '\r', '\u2028', '\u0085', '\u0000'];

test.each(fields)('%s refuses what breaks its line or turns it around, and takes a name of any script', (_, body, field) => {
  const faultsOf = (value: string): readonly string[] =>
    (body.safeParse({ [field]: value }).error?.issues ?? []).filter((issue) => issue.path[0] === field).map(({ message }) => message);
  for (const character of turning) expect([character, faultsOf(`Con${character}toso`).length > 0]).toEqual([character, true]);
  for (const name of ['Müller-Lüdenscheidt', '株式会社', 'שלום', "O'Neill"]) expect([name, faultsOf(name)]).toEqual([name, []]);
});
