import { graphError, type Body, type GraphClient } from '@holdfast/m365';
import { describe, expect, it } from 'vitest';
import { createRowReplacer } from './replace-row.ts';
import { createRowWriter } from './write-row.ts';

const place = { siteId: 'site', listId: 'list', itemId: '1' };

/** A list that answers to the emptying of columns as it is told. */
function aList(cleared: Body | Error) {
  const asked: Body[] = [];
  const updateFields = async (_place: object, fields: Body): Promise<Body> => {
    asked.push(fields);
    if (asked.length === 1) return fields;
    if (cleared instanceof Error) throw cleared;
    return cleared;
  };
  const graph = { sites: { updateFields } } as unknown as GraphClient;
  return { asked, replacer: createRowReplacer(graph, createRowWriter(graph, 'site')) };
}

describe('a row that is given its former values', () => {
  const fields = { Title: 'Then' };
  const present = { Title: 'Now', Notes: 'Later', OwnerLookupId: 7, 'Tags@odata.type': 'Collection(Edm.String)' };
  const replacement = { place, present, fields, writable: new Map() };

  it('loses what was filled in later', async () => {
    const { asked, replacer } = aList({ Title: 'Then' });
    expect(await replacer.replace(replacement)).toEqual([]);
    expect(asked).toEqual([fields, { Notes: null, OwnerLookupId: null }]);
  });

  it('is asked for nothing more when nothing was', async () => {
    const { asked, replacer } = aList({});
    expect(await replacer.replace({ ...replacement, present: { Title: 'Now' } })).toEqual([]);
    expect(asked).toEqual([fields]);
  });

  it('names what the service keeps, or will not empty', async () => {
    expect(await aList({ OwnerLookupId: 7 }).replacer.replace(replacement)).toEqual(['fieldKept Owner']);
    const refused = aList(graphError('graph.bad-request'));
    expect(await refused.replacer.replace(replacement)).toEqual(['fieldKept Notes', 'fieldKept Owner']);
    const down = aList(graphError('graph.service-fault'));
    await expect(down.replacer.replace(replacement)).rejects.toMatchObject({ code: 'graph.service-fault' });
  });
});
