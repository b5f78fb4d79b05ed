import { describe, expect, it } from 'vitest';
import { listItemFields } from './list-fields.ts';

const columnsNamed = (...names: readonly string[]) => new Map(names.map((name) => [name, { name }]));
const writable = columnsNamed('Status', 'Topics', 'Team', 'Owner');
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

  it('are left out and named where Graph takes them in no form, and written as text where the column takes that', () => {
    const columns = new Map([
      ['Link', { hyperlinkOrPicture: {} }],
      ['Term', { term: {} }],
      ['Terms', { term: { allowMultipleValues: true } }],
      ['Place', { geolocation: {} }],
      ['Picture', { thumbnail: {} }],
      ['Odd', {}],
    ]);
    const values = {
      Link: { Url: 'https://www.example.com', Description: 'A page' },
      Term: { Label: 'Open', TermGuid: 'x' },
      Terms: [{ Label: 'Open', TermGuid: 'x' }],
      Place: { coordinates: { latitude: 1, longitude: 2 } },
      Picture: { fileName: 'a.png' },
      Odd: { something: 'else' },
    };
    expect(listItemFields(values, columns, true)).toEqual({
      fields: { Picture: '{"fileName":"a.png"}' },
      left: ['fieldUnwritable Link', 'fieldUnwritable Term', 'fieldUnwritable Terms', 'fieldUnwritable Place', 'fieldUnwritable Odd'],
    });
  });

  it('are shortened to what a single line holds, and named', () => {
    const columns = new Map([
      ['Line', { text: { allowMultipleLines: false, maxLength: 255 } }],
      ['Short', { text: { maxLength: 3 } }],
      ['Lines', { text: { allowMultipleLines: true } }],
    ]);
    const long = 'x'.repeat(300);
    const { fields, left } = listItemFields({ Line: long, Short: 'abc', Lines: long }, columns, true);
    expect(fields).toEqual({ Line: 'x'.repeat(255), Short: 'abc', Lines: long });
    expect(left).toEqual(['fieldShortened Line']);
  });
});
