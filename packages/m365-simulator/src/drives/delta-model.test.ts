import { describe, it } from 'vitest';
import { checkChannel, checkDrive, checkList } from '../testing/delta-model.ts';

describe('what a client learns by delta equals the store, whatever happens between pages', () => {
  it('of a drive', () => checkDrive(25));
  it('of a list', () => checkList(25));
  it('of a channel, replies included', () => checkChannel(25));
});
