import { describe, expect, it } from 'vitest';
import { labelsOfDocument, labelsOfHeaders, labelsOfProperties } from './sensitivity-labels.ts';

const GENERAL = '4342314e-0df4-4b58-84bf-38bed6170a0f';
const SECRET = '88914ebd-7e6c-4e12-a031-a9906be2db14';
const SITE = '3dd8961f-e488-4e60-8e11-a82d994e183d';

describe('labels of a mail', () => {
  it('are in its header msip_labels, as Outlook writes it', () => {
    const line = `MSIP_Label_${GENERAL}_ActionId=2d1c4259-b276-4112-accc-e5c6d642ab60; MSIP_Label_${GENERAL}_ContentBits=0; MSIP_Label_${GENERAL}_Enabled=true; MSIP_Label_${GENERAL}_Method=Standard; MSIP_Label_${GENERAL}_Name=Official Use   Only; internal; MSIP_Label_${GENERAL}_SetDate=2022-06-06T09:18:02Z; MSIP_Label_${GENERAL}_SiteId=${SITE};`;
    const headers = [
      ['Subject', 'Offer'],
      ['MSIP_Labels', line],
    ] as const;
    expect(labelsOfHeaders(headers)).toEqual([
      { labelId: GENERAL, name: 'Official Use Only; internal', setAt: '2022-06-06T09:18:02.000Z' },
    ]);
  });

  it('are none where the header is empty, about something else or switched off', () => {
    expect(labelsOfHeaders([['msip_labels', '']])).toEqual([]);
    expect(labelsOfHeaders([['msip_justification', `MSIP_Label_${GENERAL}_Enabled=true`]])).toEqual([]);
    expect(labelsOfHeaders([['msip_labels', `MSIP_Label_${GENERAL}_Enabled=false; MSIP_Label_${GENERAL}_Name=General`]])).toEqual([]);
    expect(labelsOfHeaders([['msip_labels', 'MSIP_Label_general_Enabled=true']])).toEqual([]);
  });

  it('have no day where none was written, or none that can be read', () => {
    for (const date of ['', `; MSIP_Label_${GENERAL}_SetDate=yesterday`, `; MSIP_Label_${GENERAL}_SetDate=2022-13-45T09:18:02Z`])
      expect(labelsOfHeaders([['msip_labels', `MSIP_Label_${GENERAL.toUpperCase()}_Enabled=true${date}`]])).toEqual([
        { labelId: GENERAL, name: '', setAt: null },
      ]);
  });
});

describe('labels of a document', () => {
  const property = (id: string, attribute: string, value: string) => [`MSIP_Label_${id}_${attribute}`, value] as const;
  const general = [property(GENERAL, 'Enabled', 'true'), property(GENERAL, 'Name', 'General'), property(GENERAL, 'SiteId', SITE)];

  it('are among its custom properties, several of several organisations', () => {
    const properties = [...general, ['Author', 'Anna'] as const, property(SECRET, 'SetDate', '2024-12-23T12:50:17Z')];
    expect(labelsOfProperties(properties)).toEqual([
      { labelId: GENERAL, name: 'General', setAt: null },
      { labelId: SECRET, name: '', setAt: '2024-12-23T12:50:17.000Z' },
    ]);
  });

  it('are those of its own part, with what the custom properties know of them', () => {
    const elements = [{ id: `{${GENERAL.toUpperCase()}}`, siteId: `{${SITE}}`, isRemoved: false }];
    expect(labelsOfDocument(elements, general)).toEqual([{ labelId: GENERAL, name: 'General', setAt: null }]);
    expect(labelsOfDocument(elements, [])).toEqual([{ labelId: GENERAL, name: '', setAt: null }]);
  });

  it('are none once the part says that they were removed, whatever the custom properties still say', () => {
    expect(labelsOfDocument([{ id: `{${GENERAL}}`, siteId: `{${SITE}}`, isRemoved: true }], general)).toEqual([]);
    expect(labelsOfDocument([{ id: `{${SECRET}}`, siteId: `{${SITE}}`, isRemoved: true }], general)).toEqual([]);
    expect(labelsOfDocument([], general)).toHaveLength(1);
    expect(labelsOfDocument([], [])).toEqual([]);
  });
});
