import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mailIds } from './mail-ids.ts';

const number = fc.nat(0x7fffffff);

describe('ids of mail', () => {
  it('lead back to their message, with the folder in those that change on a move', () => {
    fc.assert(
      fc.property(number, number, number, fc.boolean(), (folder, index, current, isImmutable) => {
        const ids = mailIds('owner');
        for (const key of [`g${folder}.${index}`, `n${index}`]) {
          expect(ids.readMessage(ids.message(key, current, isImmutable))).toEqual({ key, folder: isImmutable ? undefined : current });
        }
      }),
    );
  });

  it('are no ids in another mailbox, nor with one sign changed', () => {
    const id = mailIds('one').message('g1.2', 1, false);
    expect(mailIds('two').readMessage(id)).toBeUndefined();
    for (let at = 48; at < 70; at += 1) {
      const changed = id.slice(0, at) + (id[at] === 'A' ? 'B' : 'A') + id.slice(at + 1);
      expect(mailIds('one').readMessage(changed)).toBeUndefined();
    }
  });

  it('do not take a folder for a message', () => {
    const ids = mailIds('one');
    expect(ids.readMessage(ids.folder(3))).toBeUndefined();
    expect(ids.readFolder(ids.folder(3))).toBe(3);
  });
});
