import { silentLogger } from '@holdfast/foundation/logger';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { csvLine } from '../http/csv.ts';
import { readConfig } from '../settings/config.ts';
import { conformance } from './conformance.ts';

/** The tests of the standard over exports that are whole: what one needs is taken away or changed, and the export sealed again. */
let base: string;
let made = 0;
beforeAll(async () => {
  base = await mkdtemp(path.join(tmpdir(), 'holdfast-conformance-'));
});
afterAll(() => rm(base, { recursive: true, force: true }));

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const OFFER = 'The offer as it was sent';
const PLAN = 'The plan as it was sent';
const LINKS = [
  'file',
  'link',
  'sent',
  'rule',
  'tie',
  'missing',
  'name',
  'owner',
  'version',
  'changed',
  'sha256',
  'exported',
  'ownerId',
  'itemId',
];
const MAIL = '=Anna/Inbox/mail.eml';
const common = { file: MAIL, sent: '2026-11-02T10:00:00Z', rule: 'last-change-before', changed: '2026-11-01T10:00:00Z' };
const offer = { ...common, version: '1.0', sha256: hashOf(OFFER), exported: 'Sales/Offer.docx', ownerId: 'drive', itemId: 'offer' };
const FAULT = '2026-11-03T10:00:00.000Z vault.blob-damaged';

type Row = Readonly<Record<string, string>>;
interface Given {
  readonly caseId: string | null;
  readonly content: string;
  readonly exportId: string;
  readonly query: string;
  readonly errors: number;
  readonly counted: number;
  readonly links: readonly Row[] | null;
  readonly exceptions: readonly Row[];
  readonly files: Readonly<Record<string, string>>;
}
const given: Given = {
  caseId: null,
  content: 'eml',
  exportId: 'one',
  query: 'offer',
  errors: 1,
  counted: 3,
  links: [
    { ...offer, link: 'https://contoso.example/Offer.docx' },
    { ...offer, link: 'https://contoso.example/:w:/s/token' },
    { ...offer, link: 'https://contoso.example/Plan,1.docx', sha256: hashOf(PLAN), exported: 'Sales/Plan "1".docx', itemId: 'plan' },
  ],
  exceptions: [
    {
      account: 'Anna',
      folder: 'Inbox',
      kind: 'message',
      name: 'Lost',
      code: 'vault.blob-damaged',
      reason: 'It is damaged.',
      history: FAULT,
    },
  ],
  files: { [MAIL]: 'mail', 'Sales/Offer.docx': OFFER, 'Sales/Plan "1".docx': PLAN, 'CHECK.html': 'one' },
};

const table = (names: readonly string[], rows: readonly Row[]): string =>
  `\uFEFF${csvLine(names)}${rows.map((row) => csvLine(names.map((name) => row[name] ?? ''))).join('')}`;

/** An export as the product writes it, with a seal of its own. */
async function exported(changes: Partial<Given> = {}, below = base): Promise<string> {
  const { files, links, exceptions, counted, errors, ...head } = { ...given, ...changes };
  const folder = path.join(below, String((made += 1)));
  const all: Record<string, string> = {
    ...files,
    'errors.csv': table(['account', 'folder', 'kind', 'name', 'code', 'reason', 'history'], exceptions),
    ...(links === null ? {} : { 'links.csv': table(LINKS, links) }),
  };
  for (const [name, text] of Object.entries(all)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  const listed = Object.entries(all).map(([name, text]) =>
    JSON.stringify({ path: name, size: Buffer.byteLength(text), sha256: hashOf(text), part: 1 }),
  );
  const said = { format: 'holdfast-export/1', ...head, accounts: [], errors, links: { 'last-change-before': counted } };
  const manifest = `${JSON.stringify(said, null, 1).slice(0, -2)},\n "files": [\n${listed.join(',\n')}\n ],\n "originals": [\n\n ]\n}\n`;
  const line = `${hashOf(manifest)}  manifest.json\n`;
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  await writeFile(path.join(folder, 'manifest.json'), manifest);
  await writeFile(path.join(folder, 'manifest.sha256'), line);
  await writeFile(path.join(folder, 'manifest.sha256.sig'), sign(null, Buffer.from(line), privateKey));
  await writeFile(path.join(folder, 'public-key.pem'), publicKey.export({ format: 'pem', type: 'spki' }));
  return folder;
}

async function run(options: Readonly<Record<string, string>>) {
  const lines: string[] = [];
  const code = await conformance.run({ config: readConfig({}), logger: silentLogger, print: (line) => void lines.push(line) }, options);
  return { code, lines };
}

interface Told {
  readonly standard: string;
  readonly level: null;
  readonly results: readonly { readonly test: string; readonly status: string; readonly reason: string; readonly text: string }[];
}

/** What each test comes to. */
async function told(changes: Partial<Given> = {}, again?: Partial<Given>): Promise<{ code: number | void; of: Record<string, string> }> {
  const second = again === undefined ? {} : { again: await exported({ exportId: 'two', ...again }) };
  const { code, lines } = await run({ folder: await exported(changes), json: 'yes', ...second });
  const { results } = JSON.parse(lines.join('\n')) as Told;
  return { code, of: Object.fromEntries(results.map(({ test: name, status, reason }) => [name, `${status} ${reason}`])) };
}

const first = (change: Row): Partial<Given> => ({ links: (given.links ?? []).map((row, at) => (at === 0 ? { ...row, ...change } : row)) });
const exception = (change: Row): Partial<Given> => ({ exceptions: given.exceptions.map((row) => ({ ...row, ...change })) });

test('A30: a conforming export and a second one of its list pass every test that an export can show, and the others are not claimed', async () => {
  const changed = { files: { ...given.files, 'CHECK.html': 'two' }, ...exception({ history: `${FAULT}; ${FAULT}` }) };
  expect(await told({}, changed)).toEqual({
    code: 0,
    of: {
      'T-01': 'passed as-sent-exported',
      'T-02': 'passed ids-several',
      'T-03': 'passed relations-kept',
      'T-04': 'notChecked no-identity',
      'T-05': 'notChecked no-access',
      'T-06': 'passed exceptions-whole',
      'T-07': 'passed same-files',
    },
  });
});

test.each<readonly [string, string, Partial<Given>]>([
  ['T-01', 'as-sent-later', first({ changed: '2026-11-02T10:00:01Z' })],
  ['T-01', 'as-sent-later', first({ changed: '' })],
  ['T-01', 'as-sent-later', first({ sent: '' })],
  ['T-01', 'as-sent-bytes', first({ exported: '' })],
  ['T-01', 'as-sent-bytes', first({ exported: 'Sales/Plan "1".docx' })],
  ['T-01', 'as-sent-bytes', first({ sha256: '' })],
  ['T-01', 'as-sent-bytes', { files: { ...given.files, 'Sales/Offer.docx': 'The offer as it is now' } }],
  ['T-01', 'as-sent-rule', first({ rule: '' })],
  ['T-02', 'ids-missing', first({ ownerId: '' })],
  ['T-02', 'ids-missing', first({ itemId: '' })],
  ['T-02', 'ids-missing', first({ version: '' })],
  ['T-02', 'ids-contradict', first({ sha256: hashOf('Other') })],
  ['T-03', 'relation-parent', first({ file: '' })],
  ['T-03', 'relation-parent', first({ file: 'Anna/Inbox/other.eml' })],
  ['T-03', 'relation-child', first({ exported: 'Sales/Nowhere.docx' })],
  ['T-03', 'relation-count', { links: (given.links ?? []).slice(1) }],
  ['T-06', 'exception-item', exception({ account: '', name: '' })],
  ['T-06', 'exception-code', exception({ reason: '' })],
  ['T-06', 'exception-history', exception({ history: '' })],
  ['T-06', 'exception-history', exception({ history: 'once or twice' })],
  ['T-06', 'exception-history', exception({ history: 'vault.blob-damaged' })],
  ['T-06', 'exception-history', exception({ code: '', history: '' })],
  ['T-06', 'exception-history', exception({ history: '2026-11-03T10:00:00.000Z other.code' })],
  ['T-06', 'exception-count', { exceptions: [] }],
])('A30: %s fails with %s', async (name, reason, changes) => {
  const { code, of } = await told(changes);
  expect([code, of[name]]).toEqual([1, `failed ${reason}`]);
});

test.each<readonly [string, Partial<Given>]>([
  ['other-files', { files: { ...given.files, [MAIL]: 'other' } }],
  ['other-files', { files: { [MAIL]: 'mail', 'CHECK.html': 'one' } }],
  ['other-files', { files: { ...given.files, 'more.eml': 'more' } }],
  ['other-exceptions', { ...exception({ name: 'Other' }) }],
  ['other-head', { errors: 0 }],
])('A30: T-07 fails with %s', async (reason, changes) => {
  const { code, of } = await told({}, changes);
  expect([code, of['T-07']]).toEqual([1, `failed ${reason}`]);
});

test.each<readonly [string, string, Partial<Given>]>([
  ['T-01', 'notApplicable no-links', { links: [], counted: 0 }],
  ['T-01', 'notChecked no-list', { links: null }],
  ['T-01', 'notChecked as-sent-fallback', { links: (given.links ?? []).map((row) => ({ ...row, rule: 'earlier-kept' })) }],
  ['T-02', 'notChecked ids-only', { links: (given.links ?? []).slice(1), counted: 2 }],
  ['T-03', 'notApplicable relations-single', { links: (given.links ?? []).slice(0, 2), counted: 2 }],
  ['T-03', 'notChecked relations-mbox', { content: 'mbox' }],
  ['T-06', 'notApplicable no-exceptions', { exceptions: [], errors: 0 }],
  ['T-07', 'notChecked no-second', {}],
])('%s that an export does not show is no success: %s', async (name, finding, changes) => {
  const { code, of } = await told(changes);
  expect([code, of[name]]).toEqual([0, finding]);
});

test('T-07 is not checked against the same export, nor against one of something else', async () => {
  expect((await told({}, { exportId: 'one' })).of['T-07']).toBe('notChecked same-export');
  expect((await told({}, { query: 'plan' })).of['T-07']).toBe('notChecked other-scope');
  expect((await told({}, { content: 'loadFile' })).of['T-07']).toBe('notChecked other-scope');
});

test('an export that is not whole is not tested, and neither is a second one', async () => {
  const [whole, broken] = [await exported(), await exported()];
  await rm(path.join(broken, MAIL));
  await expect(run({ folder: broken })).rejects.toMatchObject({ code: 'admin.export-damaged', message: expect.stringContaining(MAIL) });
  await expect(run({ folder: broken })).rejects.toThrow(/ is not whole: 1 problem in \d+ files\. /);
  await expect(run({ folder: whole, again: broken })).rejects.toMatchObject({ code: 'admin.export-damaged' });
  await expect(run({ folder: whole, language: 'fr' })).rejects.toMatchObject({ code: 'admin.bad-option' });
  await expect(run({ folder: whole, json: 'true' })).rejects.toMatchObject({ code: 'admin.bad-option' });
});

test('it says in both languages what came of each test, and that no level is declared', async () => {
  const folder = await exported(first({ exported: '' }));
  const [english, german] = [await run({ folder }), await run({ folder, language: 'de' })];
  expect(english.lines[1]).toBe(
    'T-01 As-sent resolution (RG-Core): FAILED. =Anna/Inbox/mail.eml: the version that a link led to is not in the export with its own bytes (, version 1.0).',
  );
  expect(german.lines[4]).toContain('T-04 Identity as-of (RG-Plus): nicht geprüft. Dieser Export sagt nicht,');
  for (const { lines } of [english, german]) expect(lines).toHaveLength(9);
  expect(english.lines.at(-1)).toContain('No conformance level is declared');
});

test('A30: the tests of a case are run over every export of it, and over no other', async () => {
  const below = await mkdtemp(path.join(base, 'case-'));
  await mkdir(path.join(below, 'notes'));
  await exported({ caseId: 'falcon' }, below);
  await exported({ caseId: 'falcon', exportId: 'two', files: { ...given.files, 'CHECK.html': 'two' } }, below);
  await exported({ caseId: 'falcon', exportId: 'three', query: 'invoice' }, below);
  const other = await exported({ caseId: 'hawk', exportId: 'four', ...first({ sha256: hashOf('other') }) }, below);
  const { code, lines } = await run({ folder: below, case: 'falcon', json: 'yes' });
  const { exports } = JSON.parse(lines.join('\n')) as { exports: readonly (Told & { readonly exportId: string })[] };
  const same = exports.map(({ exportId, results }) => [exportId, results.find(({ test: name }) => name === 'T-07')?.reason]);
  expect(same).toEqual([
    ['one', 'same-files'],
    ['two', 'same-files'],
    ['three', 'no-second'],
  ]);
  expect(code).toBe(0);
  expect((await run({ folder: below, case: 'hawk' })).code).toBe(1);
  expect((await run({ folder: below, case: 'hawk' })).lines[0]).toContain('the exports of the case hawk (1)');
  await expect(run({ folder: below, case: 'eagle' })).rejects.toThrow(
    'of the case eagle in a folder of its own. It has 4 exports, of: falcon, hawk.',
  );
  await expect(run({ folder: below, case: 'falcon', again: other })).rejects.toThrow('--again');
  await rm(path.join(other, 'errors.csv'));
  await expect(run({ folder: below, case: 'falcon' })).rejects.toThrow('errors.csv: is missing');
});
