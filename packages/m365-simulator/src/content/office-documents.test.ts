import { describe, expect, it } from 'vitest';
import { officeDocument, officeDocuments } from './office-documents.ts';

describe.each(['en', 'de'] as const)('written documents (%s)', (language) => {
  it('are one of each format at least, each with a name and bytes of its own', () => {
    const all = officeDocuments(language);
    expect(new Set(all.map(({ extension }) => extension))).toEqual(new Set(['docx', 'xlsx', 'pptx', 'pdf']));
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    expect(new Set(all.map(({ bytes }) => bytes.toString('base64'))).size).toBe(all.length);
  });

  it('are made once, and end', () => {
    expect(officeDocument(language, 0)?.bytes).toBe(officeDocument(language, 0)?.bytes);
    expect(officeDocument(language, officeDocuments(language).length)).toBeUndefined();
  });

  it('begin each object of a PDF file where its table says', () => {
    for (const { bytes } of officeDocuments(language).filter(({ extension }) => extension === 'pdf')) {
      const text = bytes.toString('latin1');
      const start = Number(/startxref\n(\d+)/u.exec(text)?.[1]);
      expect(text.slice(start, start + 4)).toBe('xref');
      const places = [...text.slice(start).matchAll(/(\d{10}) 00000 n/gu)].map(([, place]) => Number(place));
      expect(places.length).toBeGreaterThan(4);
      for (const [index, place] of places.entries()) expect(text.slice(place)).toMatch(new RegExp(`^${index + 1} 0 obj\n`, 'u'));
    }
  });
});
