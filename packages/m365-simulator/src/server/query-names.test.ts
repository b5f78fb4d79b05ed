import { beforeAll, describe, expect, it } from 'vitest';
import { createRouter } from '../http/router.ts';
import { createInProcess, type InProcess } from '../testing/in-process.ts';
import { workloads } from '../workloads.ts';

const OPTIONS: Readonly<Record<string, string>> = {
  $select: 'nonsense,id',
  $filter: "nonsense eq 'a'",
  $orderby: 'nonsense desc',
  $expand: 'nonsense',
};

/** Each list and item that takes one of the options, with a value in every place of its path. */
const asked = createRouter(workloads.flatMap((workload) => workload.routes)).routes.flatMap((route) => {
  if (route.method !== 'GET' || (route.host ?? 'graph') !== 'graph' || route.path.startsWith('/beta')) return [];
  const path = route.path.replaceAll(/\{\w+\}/gu, '2');
  return Object.keys(OPTIONS)
    .filter((name) => route.query?.includes(name))
    .map((name) => [name, path] as const);
});

describe('a name that the metadata does not have', () => {
  let simulator: InProcess;

  beforeAll(() => {
    simulator = createInProcess({ workloads });
  });

  it('is looked for on every path that takes such options', () => {
    expect(asked.length).toBeGreaterThan(100);
  });

  it.each(asked)('is refused in %s of %s', async (name, path) => {
    const { status, json } = await simulator.get(`${path}?${name}=${encodeURIComponent(OPTIONS[name] ?? '')}`);
    expect({ status, ...json }).toMatchObject({ status: 400, error: { message: expect.stringContaining("property named 'nonsense'") } });
  });

  it.each([
    ['/users/2/messages/2', '$select', 'from/emailAddress/nonsense'],
    ['/users/2/mailFolders/2/messages', '$expand', "singleValueExtendedProperties($filter=nonsense eq 'a')"],
    ['/users/2/mailFolders/2/messages', '$expand', 'attachments($select=id,nonsense)'],
    ['/users/2/mailFolders/2/messages', '$filter', "contains(nonsense,'a') or isRead eq true"],
    ['/users', '$filter', "assignedLicenses/any(l:l/nonsense eq 'a')"],
    ['/users', '$filter', 'not(nonsense eq null) and accountEnabled eq true'],
    ['/users/2/messages/2/attachments', '$select', 'id,contentBytes'],
  ])('is refused in a path or a part: %s %s=%s', async (path, name, value) => {
    const { status, json } = await simulator.get(`${path}?${name}=${encodeURIComponent(value)}`);
    expect({ status, ...json }).toMatchObject({
      status: 400,
      error: { message: expect.stringMatching(/property named '(?:nonsense|contentBytes)'/u) },
    });
  });

  it('is refused where a property is expanded that can only be selected', async () => {
    const { status, json } = await simulator.get('/users/2/messages/2?$expand=subject');
    expect({ status, ...json }).toMatchObject({
      status: 400,
      error: { message: expect.stringContaining('Only navigation properties can be expanded') },
    });
  });

  it.each([
    ['/users', '$select', 'id,displayname,MAIL,extension_0123_badge,assignedLicenses'],
    ['/users', '$filter', "startswith(displayName,'a') and accountEnabled eq true and createdDateTime ge 2020-01-01T00:00:00Z"],
    ['/groups', '$filter', "resourceProvisioningOptions/Any(x:x eq 'Team')"],
    ['/groups/delta', '$select', 'id,members'],
    ['/groups/2/transitiveMembers', '$select', 'id,userPrincipalName,displayName'],
    ['/users/2/mailFolders/2/messages', '$filter', "singleValueExtendedProperties/any(ep:ep/id eq 'a' and ep/value eq 'b')"],
    [
      '/users/2/mailFolders/2/messages',
      '$expand',
      "singleValueExtendedProperties($filter=id eq 'Integer 0x0E07'),attachments($select=id,name)",
    ],
    ['/users/2/messages/2/attachments', '$select', 'id,microsoft.graph.fileAttachment/contentBytes'],
    ['/drives/2/items/2', '$select', 'id,name,@microsoft.graph.downloadUrl,content.downloadUrl'],
    ['/sites/2/lists/2/items', '$expand', 'fields($select=Title,Nonsense)'],
    ['/sites/2/pages/2/microsoft.graph.sitePage', '$expand', 'canvasLayout'],
  ])('is none of these: %s %s=%s', async (path, name, value) => {
    const { json } = await simulator.get(`${path}?${name}=${encodeURIComponent(value)}`);
    expect(JSON.stringify(json)).not.toMatch(/property named|navigation properties/u);
  });
});
