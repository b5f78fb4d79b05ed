import { beforeAll, describe, expect, it } from 'vitest';
import { textOf } from '../values/json.ts';
import { createInProcess, type InProcess } from '../testing/in-process.ts';
import { directoryWorkload } from './directory-workload.ts';

const EVENTUAL = { consistencylevel: 'eventual' };

function address(path: string, query: Readonly<Record<string, string>>): string {
  return `${path}?${Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')}`;
}

describe('queries of the directory', () => {
  let simulator: InProcess;
  let groupId: string;

  beforeAll(async () => {
    simulator = createInProcess({ workloads: [directoryWorkload] });
    const { entries } = await simulator.all('/groups?$select=id');
    groupId = textOf(entries[0]?.['id']);
  });

  describe.each(['/users', '/groups'])('%s', (path) => {
    it.each([
      [{ $filter: "displayName ne 'a'" }, 'Request_UnsupportedQuery', /NotEqualsMatch/u],
      [{ $filter: "not(startsWith(displayName,'a'))" }, 'Request_UnsupportedQuery', /'not' is not supported/u],
      [{ $filter: "endsWith(mail,'a')" }, 'Request_UnsupportedQuery', /'endswith' is not supported/u],
      [{ $filter: "startsWith(displayName,'a')", $orderby: 'displayName' }, 'Request_UnsupportedQuery', /Sorting not supported/u],
      [{ $search: '"displayName:a"' }, 'Request_UnsupportedQuery', /ConsistencyLevel: eventual/u],
    ] as const)('refuses %s without ConsistencyLevel, and takes it with it', async (query, code, message) => {
      const asked = address(path, { ...query, $count: 'true' });
      const { status, json } = await simulator.get(asked);
      expect({ status, ...json }).toMatchObject({ status: 400, error: { code, message: expect.stringMatching(message) } });
      const taken = await simulator.get(asked, EVENTUAL);
      expect(taken.status, JSON.stringify(taken.json)).toBe(200);
      expect(taken.json['@odata.count']).toEqual(expect.any(Number));
    });

    it('needs $count=true for all of these but $search', async () => {
      expect((await simulator.get(address(path, { $filter: "displayName ne 'a'" }), EVENTUAL)).status).toBe(400);
      expect((await simulator.get(address(path, { $search: '"displayName:a"' }), EVENTUAL)).status).toBe(200);
    });

    it('ignores $count=true in silence without ConsistencyLevel', async () => {
      expect((await simulator.get(`${path}?$count=true`)).json).not.toHaveProperty(['@odata.count']);
      expect((await simulator.get(`${path}?$count=true`, EVENTUAL)).json).toHaveProperty(['@odata.count']);
    });

    it('serves $count as text, with ConsistencyLevel alone', async () => {
      const refused = await simulator.get(`${path}/$count`);
      expect({ status: refused.status, ...refused.json }).toMatchObject({
        status: 400,
        error: { code: 'Request_BadRequest', message: '$count is not currently supported.' },
      });
      const { entries } = await simulator.all(path);
      const counted = await simulator.get(`${path}/$count`, EVENTUAL);
      expect(counted.bytes.toString()).toBe(String(entries.length));
      const none = await simulator.get(address(`${path}/$count`, { $filter: "displayName eq 'nobody'" }), EVENTUAL);
      expect(none.bytes.toString()).toBe('0');
    });

    it('has no $skip, and pages of 1 to 999', async () => {
      const skipped = await simulator.get(`${path}?$skip=1`);
      expect({ status: skipped.status, ...skipped.json }).toMatchObject({ status: 400, error: { code: 'Request_BadRequest' } });
      for (const size of ['0', '1000', '-1', 'many']) {
        const { status, json } = await simulator.get(`${path}?$top=${size}`);
        expect({ size, status, ...json }).toMatchObject({
          size,
          status: 400,
          error: { message: expect.stringMatching(/Invalid page size specified|Invalid value/u) },
        });
      }
      expect((await simulator.get(`${path}?$top=999`)).status).toBe(200);
    });
  });

  it('finds what is searched for, at the beginning of words', async () => {
    const { entries } = await simulator.all('/users?$select=displayName');
    const name = textOf(entries[0]?.['displayName']);
    const last = name.split(' ').at(-1) ?? '';
    const { json } = await simulator.get(address('/users', { $search: `"displayName:${last.slice(0, 3)}"` }), EVENTUAL);
    expect(json['value']).toContainEqual(expect.objectContaining({ displayName: name }));
    const none = await simulator.get(address('/users', { $search: '"displayName:zzzz" OR "mail:zzzz"' }), EVENTUAL);
    expect(none.json['value']).toEqual([]);
  });

  it.each(['members', 'transitiveMembers'])('casts %s of a group as an advanced query', async (name) => {
    const cast = `/groups/${groupId}/${name}/microsoft.graph.user?$count=true`;
    expect((await simulator.get(cast)).status).toBe(400);
    const { status, json } = await simulator.get(cast, EVENTUAL);
    expect(status).toBe(200);
    const { entries } = await simulator.all(`/groups/${groupId}/${name}`);
    const people = entries.filter((entry) => entry['@odata.type'] === '#microsoft.graph.user').map((entry) => entry['id']);
    expect((json['value'] as { id: string }[]).map(({ id }) => id)).toEqual(people);
    simulator.requireValid();
  });
});
