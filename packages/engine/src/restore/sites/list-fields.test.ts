import { describe, expect, it } from 'vitest';
import { listItemFields } from './list-fields.ts';

const writable = new Set(['Status', 'Topics', 'Team', 'Owner']);
const stored = {
  Title: 'One',
  Status: 'Open',
  Topics: ['Sales', 'Law'],
  Team: [
    { LookupId: 1, LookupValue: 'Ann' },
    { LookupId: 3, LookupValue: 'Bob' },
  ],
  OwnerLookupId: '7',
  Computed: 5,
  'odata@context': 'x',
  Empty: null,
};

describe('values of a list item', () => {
  it('carry the type of lists, and people by number, in their own site', () => {
    expect(listItemFields(stored, writable, true)).toEqual({
      fields: {
        Title: 'One',
        Status: 'Open',
        Topics: ['Sales', 'Law'],
        'Topics@odata.type': 'Collection(Edm.String)',
        TeamLookupId: [1, 3],
        'TeamLookupId@odata.type': 'Collection(Edm.Int32)',
        OwnerLookupId: '7',
      },
      left: [],
    });
  });

  it('say the same whether people are named or numbered', () => {
    const { Team: _named, ...others } = stored;
    const numbered = listItemFields({ ...others, TeamLookupId: [1, 3] }, writable, true);
    expect(numbered.fields).toEqual(listItemFields(stored, writable, true).fields);
  });

  it('leave out numbers that mean somebody else in another site, and name them', () => {
    const { fields, left } = listItemFields(stored, writable, false);
    expect(Object.keys(fields)).toEqual(['Title', 'Status', 'Topics', 'Topics@odata.type']);
    expect(left).toEqual(['field Team', 'field Owner']);
  });
});
