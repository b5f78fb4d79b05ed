import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createUniquePaths, safeName } from './safe-name.ts';

describe('names of Microsoft 365 as names of files', () => {
  it.each([
    ['Report 2026.docx', 'Report 2026.docx'],
    ['a/b\\c:d*e?f"g<h>i|j', 'a_b_c_d_e_f_g_h_i_j'],
    ['..', '_'],
    ['', '_'],
    ['CON', '_CON'],
    ['com1.txt', '_com1.txt'],
    ['ends with dots... ', 'ends with dots'],
    ['evil\u202Efdp.exe', 'evil_fdp.exe'],
    ['line\nbreak', 'line_break'],
  ])('%j becomes %j', (name, safe) => {
    expect(safeName(name)).toBe(safe);
  });

  it('are short and keep their ending', () => {
    const short = safeName(`${'x'.repeat(400)}.docx`);
    expect(short.length).toBeLessThanOrEqual(120);
    expect(short.endsWith('.docx')).toBe(true);
  });

  it('never lead out of their folder, whatever the name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const safe = safeName(name);
        expect(Array.from(safe).filter((sign) => sign === '/' || sign === '\\' || (sign.codePointAt(0) ?? 0) < 32)).toEqual([]);
        expect(['', '.', '..']).not.toContain(safe);
      }),
    );
  });

  it('have as many bytes as a file system takes, cut between characters', () => {
    for (const name of [`${'請求書'.repeat(40)}.docx`, `${'🎉'.repeat(100)}.docx`, `${'é'.repeat(130)}.docx`]) {
      const short = safeName(name);
      expect(Buffer.byteLength(short)).toBeLessThanOrEqual(240);
      expect(short).toMatch(/[書求請🎉é]\.docx$/u);
      expect(short.isWellFormed()).toBe(true);
    }
    expect(safeName('half \ud83d of a pair').isWellFormed()).toBe(true);
  });

  it('stay unique beside names that are numbered already', () => {
    const unique = createUniquePaths();
    const names = ['a (2).txt', 'a.txt', 'a.txt', 'A.TXT', 'a (2).txt', 'b', 'b', 'b (2)'];
    const paths = names.map((name) => unique('f', name));
    expect(paths).toEqual(['f/a (2).txt', 'f/a.txt', 'f/a (3).txt', 'f/A (4).TXT', 'f/a (2) (2).txt', 'f/b', 'f/b (2)', 'f/b (2) (2)']);
    expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(names.length);
  });

  it('are unique in their folder without regard to case', () => {
    const unique = createUniquePaths();
    expect([unique('f', 'a.txt'), unique('f', 'A.txt'), unique('f', 'a.txt'), unique('g', 'a.txt')]).toEqual([
      'f/a.txt',
      'f/A (2).txt',
      'f/a (3).txt',
      'g/a.txt',
    ]);
  });
});
