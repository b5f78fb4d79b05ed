import { describe, expect, it } from 'vitest';
import type { Selections } from '../../ports/run.ts';
import { folderExclusion, normalisePath, type FolderNode } from './folder-selection.ts';

const nodes = new Map<string, FolderNode>(
  [
    { id: 'inbox', name: 'Posteingang', parentId: null, wellKnown: 'inbox' },
    { id: 'sub', name: 'Kunden ', parentId: 'inbox' },
    { id: 'deep', name: 'Nord', parentId: 'sub' },
    { id: 'trash', name: 'Gelöschte Elemente', parentId: null, wellKnown: 'deleteditems' },
    { id: 'junk', name: 'Junk-E-Mail', parentId: null, wellKnown: 'junkemail' },
    { id: 'copies', name: 'TeamsMessagesData', parentId: null },
    { id: 'lookalike', name: 'Posteingang 2', parentId: null },
  ].map((node) => [node.id, node]),
);

function why(id: string, ...selections: Selections): string | undefined {
  const node = nodes.get(id);
  return node && folderExclusion(node, nodes, selections);
}

describe('which folders a job takes', () => {
  it('takes everything but copies of chats unless told otherwise', () => {
    expect(['inbox', 'sub', 'deep', 'trash', 'junk', 'lookalike'].map((id) => why(id, {}))).toEqual(Array.from({ length: 6 }));
    expect(why('copies', {})).toBe('copyOfTeams');
  });

  it('knows paths in the language of the mailbox and in English, whatever the case and the spaces', () => {
    for (const path of ['Posteingang/Kunden', ' posteingang / KUNDEN ', 'Inbox/Kunden']) {
      expect(why('deep', { include: [path] }), path).toBeUndefined();
      expect(why('deep', { exclude: [path] }), path).toBe('excluded');
      expect(why('inbox', { include: [path] }), path).toBe('notSelected');
    }
  });

  it('takes names whole: a folder that only begins alike is another one', () => {
    expect(why('lookalike', { include: ['Posteingang'] })).toBe('notSelected');
  });

  it('lets an exclusion win over an inclusion', () => {
    expect(why('deep', { include: ['Inbox'], exclude: ['Inbox/Kunden'] })).toBe('excluded');
  });

  it('leaves out deleted items and junk when asked', () => {
    expect(why('trash', { mailbox: { deletedItems: false } })).toBe('deletedItems');
    expect(why('junk', { mailbox: { junk: false } })).toBe('junk');
  });

  it('reads a path as people type it', () => {
    expect(normalisePath(' /Inbox// Sub /')).toBe('inbox/sub');
  });
});
