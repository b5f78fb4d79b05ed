import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDriveLayout } from './drive-layout.ts';

describe('layout of a drive', () => {
  it('puts every item but the root into exactly one folder, which is its parent and stands before it', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.nat(400), (folders, files) => {
        const layout = createDriveLayout(folders, files);
        const seen: number[] = [];
        for (let folder = 0; folder <= folders; folder += 1) {
          const children = layout.childrenOf(folder);
          for (let position = 0; position < children.size; position += 1) {
            const child = children.at(position);
            expect(layout.parentOf(child)).toBe(folder);
            expect(child).toBeGreaterThan(folder);
            seen.push(child);
          }
        }
        expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: folders + files }, (_, index) => index + 1));
      }),
    );
  });
});
