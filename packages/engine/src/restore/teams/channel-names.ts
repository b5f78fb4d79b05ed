import type { ItemVersion } from '../../ports/item.ts';

const LONGEST_NAME = 50;
const LONGEST_ENDING = 40;

/** How the names of channels end that come beside those of the same name. */
export function channelEnding(folder: string): string {
  const allowed = folder.replaceAll(/[^\w .-]|\.(?=\.)|_(?=vti_)/gu, ' ').slice(0, LONGEST_ENDING);
  // A name that ends with a dot or a space is refused.
  return ` ${allowed.replace(/[ .]+$/u, '')}`;
}

/**
 * Names channels at the target. Of what comes beside, the end must be whole: without it a long name would be that of the
 * original, and two that begin alike would be one channel.
 */
export function createChannelNames(folder: string | undefined): (item: Pick<ItemVersion, 'key' | 'name'>) => string {
  const owners = new Map<string, string>();
  return ({ key, name }) => {
    if (folder === undefined) return name;
    const ending = channelEnding(folder);
    for (let count = 1; ; count += 1) {
      const number = count === 1 ? '' : ` ${count}`;
      const beside = `${name.slice(0, LONGEST_NAME - ending.length - number.length).trimEnd()}${number}${ending}`;
      const owner = owners.get(beside.toLowerCase()) ?? key;
      owners.set(beside.toLowerCase(), owner);
      if (owner === key) return beside;
    }
  };
}
