import type { CaseDetails, CasePerson } from '@holdfast/contract/case-values';
import type { Page } from '@holdfast/contract/paging';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createExportGround, MAILS, WORD } from '../exports/testing/export-ground.ts';

/** Custodians of whom only an archive is kept: their mail was imported or journaled and never backed up. */
const testing = testDatabase(import.meta.url);
const ground = createExportGround(testing);
const { send, told, exported, ended, unpacked, verified, person } = ground;

beforeAll(() => ground.open(), 240_000);
afterAll(() => ground.close());

test('the archive of a custodian is a source of the case: it is found, held, and exported with it', async () => {
  const made = await told<CaseDetails>(await send('cases', { body: { matter: 'Archives', reference: '', from: null, to: null } }));
  const place = `cases/${made.caseId}`;
  const { name, address } = person(0);
  const { items } = await told<Page<CasePerson>>(await send(`${place}/people?search=${encodeURIComponent(name)}`));
  const [found] = items.filter((one) => one.address === address.toLowerCase());
  expect(found).toMatchObject({ name, archives: 1 });
  const withPerson = await told<CaseDetails>(await send(`${place}/custodians`, { body: { keys: [found?.key] } }));
  const resources = withPerson.custodians.flatMap((custodian) => custodian.resources);
  expect(resources.filter(({ kind }) => kind === 'archive')).toMatchObject([{ items: MAILS.length, isHeld: false }]);

  const asked = await told<CaseDetails>(await send(`${place}/queries`, { body: { name: 'Compote', query: WORD } }));
  const [query] = asked.queries;
  expect(await told(await send(`${place}/queries/${query?.queryId}/count`, { method: 'POST' }))).toMatchObject({ hits: MAILS.length });
  const held = await told<CaseDetails>(await send(`${place}/holds`, { body: { name: 'Case 1', reason: 'A dispute' } }));
  expect(held.custodians.flatMap((custodian) => custodian.resources).every(({ isHeld }) => isHeld)).toBe(true);

  const source = { kind: 'case', caseId: made.caseId, queryId: query?.queryId };
  const one = await ended(await exported({ source }));
  expect(one).toMatchObject({ status: 'successful', items: MAILS.length, failed: 0 });
  expect((await verified(await unpacked(one, 'case-archive')))[0]).toMatch(/^The export is whole/u);
}, 120_000);
