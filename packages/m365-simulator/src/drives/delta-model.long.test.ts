import { describe, it } from 'vitest';
import { checkChannel, checkDrive, checkList } from '../testing/delta-model.ts';

describe('what a client learns by delta equals the store, in a thousand histories each', () => {
  it('of a drive', () => checkDrive(1000));
  it('of a list', () => checkList(1000));
  it('of a channel, replies included', () => checkChannel(1000));
});
