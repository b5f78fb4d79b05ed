import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { testDatabase } from '@holdfast/database/testing/test-database';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aGround } from '../../testing/rows.ts';
import { testServer, type SignedIn, type TestServer } from '../../testing/test-server.ts';

/** Locations of two organisations at the same place, or one within the other. */
const testing = testDatabase(import.meta.url);
let roots = '';
let data = '';
let server: TestServer;

interface Organisation {
  readonly id: string;
  readonly tenantId: string;
  readonly owner: SignedIn;
}
let one: Organisation;
let two: Organisation;

async function anOrganisation(): Promise<Organisation> {
  const { scope, tenantId } = await aGround(testing.database);
  return { id: scope.organisationId, tenantId, owner: await server.member(scope.organisationId, 'owner') };
}

beforeAll(async () => {
  roots = await mkdtemp(path.join(tmpdir(), 'holdfast-roots-'));
  data = await mkdtemp(path.join(tmpdir(), 'holdfast-data-'));
  server = await testServer(testing, { settings: { HOLDFAST_LOCATION_ROOTS: `${roots},${data}`, HOLDFAST_DATA_DIR: data } });
  one = await anOrganisation();
  two = await anOrganisation();
});
afterAll(async () => {
  await server.close();
  for (const folder of [roots, data]) await rm(folder, { recursive: true, force: true });
});

let names = 0;
async function saved(organisation: Organisation, folder: string, to = ''): Promise<{ status: number; code?: string; field?: string }> {
  names += 1;
  const body = { kind: 'filesystem', name: `Store ${names}`, path: folder };
  const answer = await server.send(`/apollo/api/${organisation.tenantId}/locations${to}`, { token: organisation.owner.tokens.main, body });
  return { status: answer.status, ...((await answer.json()) as object) };
}

const refused = expect.objectContaining({ status: 409, code: 'locations.overlaps' }) as unknown;
const inRoots = (...parts: string[]): string => path.join(roots, ...parts);

test('a place that another location has, one within it and one around it are refused, and nothing is written there', async () => {
  expect(await saved(one, inRoots('shared', 'vault'))).toMatchObject({ status: 201 });
  const before = await readdir(inRoots('shared'), { recursive: true });
  await symlink(inRoots('shared'), inRoots('link'));
  const places = ['shared/vault', 'shared/vault/', 'shared/./vault', 'shared/vault/inner', 'shared', 'link/vault', 'link/vault/deep/er'];
  for (const organisation of [one, two]) {
    for (const place of places) {
      expect(await saved(organisation, `${roots}/${place}`), place).toEqual(refused);
      expect(await saved(organisation, `${roots}/${place}`, '/test'), place).toEqual(refused);
    }
  }
  expect(await readdir(inRoots('shared'), { recursive: true })).toEqual(before);
  expect(await saved(two, inRoots('shared', 'vault2'))).toMatchObject({ status: 201 });
});

test('of two who save one place at once, one is refused', async () => {
  const answers = await Promise.all([one, two, one, two].map((organisation) => saved(organisation, inRoots('at-once'))));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409, 409]);
});

test('a vault that no location knows any more is not stored into or around', async () => {
  await mkdir(inRoots('old', 'vault'), { recursive: true });
  await writeFile(inRoots('old', 'vault', 'vault.json'), '{}');
  expect(await saved(two, inRoots('old', 'vault', 'inner'))).toEqual(refused);
  expect(await saved(two, inRoots('old'))).toEqual(refused);
  expect(await saved(two, inRoots('old', 'beside'))).toMatchObject({ status: 201 });
});

test('nobody takes the folder below which others get theirs', async () => {
  const vaults = path.join(data, 'vaults');
  for (const place of [vaults, path.join(vaults, two.id), path.join(vaults, two.id, 'theirs')]) {
    expect(await saved(one, place), place).toEqual(refused);
  }
  for (const place of [path.join(vaults, one.id, 'own'), path.join(vaults, 'anything')]) {
    expect(await saved(one, place), place).toMatchObject({ status: 201 });
  }
});
