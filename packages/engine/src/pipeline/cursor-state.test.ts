import { describe, expect, it } from 'vitest';
import { decodeCursorState, emptyCursorState, encodeCursorState } from './cursor-state.ts';

describe('what a segment keeps for the next run', () => {
  it('comes back as it was, and equal states are equal bytes', () => {
    const state = emptyCursorState();
    state.scopes.set('b', '2');
    state.scopes.set('a', '1');
    state.unread.set('m', { key: 'm', kind: 'message', parentKey: 'f', name: 'Subject', code: 'graph.corrupt-item' });
    state.excluded.set('v', { kind: 'file', path: 'a/virus.exe', code: 'graph.malware' });
    const again = decodeCursorState(encodeCursorState(state));
    expect(encodeCursorState(again)).toBe(encodeCursorState(state));
    expect([...again.scopes.keys()]).toEqual(['a', 'b']);
    expect(again.unread.get('m')?.code).toBe('graph.corrupt-item');
  });

  it('is empty before the first run', () => {
    expect(encodeCursorState(decodeCursorState(null))).toBe(encodeCursorState(emptyCursorState()));
  });

  it('of another version or shape is refused', () => {
    expect(() => decodeCursorState('{"version":2,"scopes":[],"unread":[],"excluded":[]}')).toThrow(
      expect.objectContaining({ code: 'engine.bad-cursor' }),
    );
    expect(() => decodeCursorState({ version: 1 })).toThrow(expect.objectContaining({ code: 'engine.bad-cursor' }));
  });
});
